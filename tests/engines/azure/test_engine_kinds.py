"""Kinds of documents that Azure has prebuilt models for, mapped onto our ready-made schemas."""

from docsieve.domain.schemas.ready import READY
from tests.engines.azure.prebuilt_answers import address, analysis, array, day, field, money, row, text, values


def test_a_receipt_fills_the_ready_made_schema() -> None:
    receipt = analysis(
        {
            "MerchantName": text("Corner Shop"),
            "MerchantAddress": address("Main St 1"),
            "MerchantPhoneNumber": field("phoneNumber", "555-1234", valuePhoneNumber="+15551234"),
            "TransactionDate": day("2026-01-31", "2026-01-31"),
            "TransactionTime": field("time", "13:59", valueTime="13:59:00"),
            "Subtotal": money("9.00", 9.0, "USD"),
            "TotalTax": money("1.00", 1.0, "USD"),
            "Tip": money("0.50", 0.5, "USD"),
            "Total": money("10.50", 10.5, "USD"),
            "Items": array(row(Description=text("Tea"), TotalPrice=money("9.00", 9.0, "USD"))),
        },
        "receipt.retailMeal",
    )
    found = values(receipt, READY["receipt"])
    assert (
        found.items()
        >= {
            "merchant": "Corner Shop",
            "address": "Main St 1",
            "phone": "555-1234",
            "date": "2026-01-31",
            "subtotal": 9,
            "tax": 1,
            "tip": 0.5,
            "total": 10.5,
            "currency": "USD",
            "line_items[0].description": "Tea",
            "line_items[0].amount": 9,
        }.items()
    )
    assert str(found["time"]).startswith("13:59")


def test_a_bank_statement_gives_the_rows_of_its_account() -> None:
    statement = analysis(
        {
            "BankName": text("First Bank"),
            "AccountHolderName": text("Ada Lovelace"),
            "StatementStartDate": day("01/01/2026", "2026-01-01"),
            "StatementEndDate": day("01/31/2026", "2026-01-31"),
            "Accounts": array(
                row(
                    AccountNumber=text("12345"),
                    BeginningBalance=field("number", "10.00", valueNumber=10.0),
                    EndingBalance=field("number", "25.00", valueNumber=25.0),
                    Transactions=array(
                        row(
                            Date=day("01/02", "2026-01-02"),
                            Description=text("Pay"),
                            DepositAmount=field("number", "20.00", valueNumber=20.0),
                        ),
                        row(
                            Date=day("01/03", "2026-01-03"),
                            Description=text("Tea"),
                            WithdrawalAmount=field("number", "5.00", valueNumber=5.0),
                        ),
                    ),
                )
            ),
        },
        "bankStatement.us",
    )
    found = values(statement, READY["bank-statement"])
    assert (
        found.items()
        >= {
            "bank": "First Bank",
            "account_holder": "Ada Lovelace",
            "account_number": "12345",
            "period_start": "2026-01-01",
            "period_end": "2026-01-31",
            "opening_balance": 10,
            "closing_balance": 25,
            "transactions[0].date": "2026-01-02",
            "transactions[0].description": "Pay",
            "transactions[0].credit": 20,
            "transactions[1].debit": 5,
        }.items()
    )


def test_a_wage_statement_and_a_numbered_box_find_their_fields() -> None:
    wages = analysis(
        {
            "TaxYear": text("2025"),
            "Employee": row(Name=text("Ada"), SocialSecurityNumber=text("123-45-6789")),
            "Employer": row(Name=text("ACME"), IdNumber=text("12-3456789")),
            "WagesTipsAndOtherCompensation": field("number", "100.00", valueNumber=100.0),
            "FederalIncomeTaxWithheld": field("number", "10.00", valueNumber=10.0),
            "SocialSecurityWages": field("number", "100.00", valueNumber=100.0),
            "IsRetirementPlan": field("string", None, valueString="true"),
            "AdditionalInfo": array(row(LetterCode=text("DD"), Amount=field("number", "5", valueNumber=5))),
            "StateTaxInfos": array(row(State=text("PA"), StateIncomeTax=field("number", "3", valueNumber=3))),
        },
        "tax.us.w2",
    )
    found = values(wages, READY["w2"])
    assert (
        found.items()
        >= {
            "employee.name": "Ada",
            "employee.ssn": "123-45-6789",
            "employer.name": "ACME",
            "employer.ein": "12-3456789",
            "wages": 100,
            "federal_income_tax": 10,
            "social_security_wages": 100,
            "box_12[0].code": "DD",
            "box_12[0].amount": 5,
            "states[0].state": "PA",
            "states[0].state_income_tax": 3,
        }.items()
    )
    interest = analysis(
        {
            "Payer": row(Name=text("Bank"), TIN=text("99")),
            "Transactions": array(
                row(Box1=field("number", "7", valueNumber=7), Box2=field("number", "1", valueNumber=1))
            ),
        },
        "tax.us.1099INT",
    )
    found = values(interest, READY["1099"])
    assert (found["interest_income"], found["early_withdrawal_penalty"]) == (7, 1)
    assert found["payer.name"] == "Bank"


def test_a_proof_of_identity_finds_its_fields() -> None:
    card = analysis(
        {
            "FirstName": text("Ada"),
            "LastName": text("Lovelace"),
            "DocumentNumber": text("X1"),
            "DateOfBirth": day("10 Dec 1815", "1815-12-10"),
            "DateOfExpiration": day("01 Jan 2030", "2030-01-01"),
            "Sex": text("F"),
            "CountryRegion": field("countryRegion", "UK", valueCountryRegion="GBR"),
        },
        "idDocument.passport",
    )
    found = values(card, READY["id-card"])
    assert (found["given_names"], found["surname"], found["document_number"]) == ("Ada", "Lovelace", "X1")
    assert (found["birth_date"], found["expiry_date"]) == ("1815-12-10", "2030-01-01")
