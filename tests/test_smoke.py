def test_a_document_goes_in_and_its_text_comes_out(start_service):
    service = start_service()
    service.api()
    service.worker()
    answer = service.upload(b"Hello Docsieve").json()
    assert answer["status"] == "pending"
    assert service.settled(answer["id"])["status"] == "ready"
