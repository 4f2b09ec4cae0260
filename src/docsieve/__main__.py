from docsieve.cli.main import app

app()
