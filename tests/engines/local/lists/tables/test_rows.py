"""Tables as papers really have them: rows without lines, columns without words, and text that is not a table."""

from docsieve.domain.pages.page import Cell, Line, Table
from docsieve.engines.local.engine import LocalFields
from docsieve.engines.local.lists.tables.grids import grids_of
from docsieve.engines.local.page.view import view
from tests.engines.local.drawing import line, material, page, table, written
from tests.engines.local.lists.asking import NUMBER, TEXT, listed, rows, spread, value


def test_rows_that_no_line_parts_come_apart_by_their_numbers() -> None:
    heads, names = ("Description", "Hours", "Total"), ("Digging", "Paving", "Sowing")
    hours, totals = ("3", "12", "7"), ("30.00", "120.00", "70.00")
    edges = (40.0, 200.0, 300.0, 400.0)
    stacks = ["\n".join(column) for column in (names, hours, totals)]
    cells = [Cell(0, at, text, (edges[at], 100, edges[at + 1], 114), header=True) for at, text in enumerate(heads)]
    cells += [Cell(1, at, text, (edges[at], 114, edges[at + 1], 156)) for at, text in enumerate(stacks)]
    lines = spread([heads, *zip(names, hours, totals, strict=True)], (42, 202, 302), top=102)
    ruled = Table((40, 100, 400, 156), 2, 3, cells)

    grid = grids_of(view(material(page(lines, tables=[ruled]))))[0]
    found = value({"work": listed(description=TEXT, hours=NUMBER, total=NUMBER)}, page(lines, tables=[ruled]))
    assert len(grid.rows) == 4
    assert rows(found["work"]) == [["Digging", 3, 30.0], ["Paving", 12, 120.0], ["Sowing", 7, 70.0]]


def test_a_name_of_two_lines_is_one_row() -> None:
    ruled, lines = table([["Description", "Hours", "Total"], ["Digging of\ndeep holes", "3", "30.00"]])

    found = value({"work": listed(description=TEXT, hours=NUMBER, total=NUMBER)}, page(lines, tables=[ruled]))
    assert rows(found["work"]) == [["Digging of deep holes", 3, 30.0]]


def test_two_lists_share_a_table_by_the_columns_that_each_row_fills() -> None:
    ruled, lines = table(
        [
            ["Designation", "Base", "Gain", "Deduction", "Employer part"],
            ["Salary", "", "3000.00", "", ""],
            ["Bonus", "3000.00", "450.00", "", ""],
            ["Health", "3450.00", "", "25.88", "444.71"],
            ["Pension", "3269.00", "", "225.56", "279.50"],
        ]
    )
    schema = {
        "earnings": listed(designation=TEXT, base=NUMBER, gain=NUMBER),
        "contributions": listed(designation=TEXT, base=NUMBER, deduction=NUMBER, employer_part=NUMBER),
    }

    found = value(schema, page(lines, tables=[ruled]))
    assert rows(found["earnings"]) == [["Salary", None, 3000.0], ["Bonus", 3000.0, 450.0]]
    assert rows(found["contributions"]) == [["Health", 3450.0, 25.88, 444.71], ["Pension", 3269.0, 225.56, 279.5]]


def test_a_column_headed_by_the_name_of_the_list_names_its_entries() -> None:
    ruled, lines = table([["Container", "Seal", "Pkgs"], ["KKZU3181271", "SL321769", "572"], ["JJBU83", "SL22", "873"]])

    found = value({"containers": listed(number=TEXT, seal=TEXT, packages=NUMBER)}, page(lines, tables=[ruled]))
    assert rows(found["containers"]) == [["KKZU3181271", "SL321769", 572], ["JJBU83", "SL22", 873]]


def test_columns_between_known_ones_are_recognized_by_their_order() -> None:
    ruled, lines = table(
        [
            ["Packing", "20'", "40'", "Net weight", "Gross weight"],
            ["Small", "750", "1500", "12.80", "13.80"],
            ["Large", "680", "1360", "15.00", "16.00"],
        ]
    )
    schema = {
        "rows": listed(packing=TEXT, per_small_box=NUMBER, per_big_box=NUMBER, net_weight=NUMBER, gross_weight=NUMBER)
    }

    assert rows(value(schema, page(lines, tables=[ruled]))["rows"]) == [
        ["Small", 750, 1500, 12.8, 13.8],
        ["Large", 680, 1360, 15.0, 16.0],
    ]


def test_headings_in_another_script_leave_the_shape_of_the_table() -> None:
    ruled, lines = table([["Κλάση", "Κέντρο", "Λιμάνι"], ["Άλφα", "108.11", "91.23"], ["Βήτα", "90.14", "81.08"]])
    schema = {"rates": listed(property_class=TEXT, center_rate=NUMBER, harbour_rate=NUMBER)}

    found = value(schema, page(lines, tables=[ruled]))
    assert rows(found["rates"]) == [["Άλφα", 108.11, 91.23], ["Βήτα", 90.14, 81.08]]


def test_a_right_to_left_table_may_list_its_columns_from_the_left_and_its_total_is_not_an_entry() -> None:
    texts = [["סעיף", "2024", "2023"], ["מזומנים", "1250", "980"], ["מלאי", "1870", "2100"], ["סך הכל", "3120", "3080"]]
    ruled, lines = table(texts)
    schema = {"sheet": listed(label=TEXT, current_year=NUMBER, prior_year=NUMBER)}

    assert rows(value(schema, page(lines, tables=[ruled]))["sheet"]) == [["מזומנים", 1250, 980], ["מלאי", 1870, 2100]]


def test_a_table_of_another_shape_is_not_taken_for_a_list_whose_headings_it_lacks() -> None:
    ruled, lines = table([["Κλάση", "Κέντρο"], ["Άλφα", "108.11"], ["Βήτα", "90.14"]])
    schema = {"rates": listed(property_class=TEXT, center_rate=NUMBER, harbour_rate=NUMBER)}

    assert value(schema, page(lines, tables=[ruled]))["rates"] == []


def test_rows_between_the_rows_of_a_table_name_their_section() -> None:
    ruled, lines = table(
        [
            ["Label", "Current year", "Prior year"],
            ["Assets", "", ""],
            ["Cash", "1250", "980"],
            ["Stock", "1870", "2100"],
            ["Debts", "", ""],
            ["Loans", "1800", "2200"],
        ]
    )
    schema = {"sheet": listed(section=TEXT, label=TEXT, current_year=NUMBER, prior_year=NUMBER)}

    assert rows(value(schema, page(lines, tables=[ruled]))["sheet"]) == [
        ["Assets", "Cash", 1250, 980],
        ["Assets", "Stock", 1870, 2100],
        ["Debts", "Loans", 1800, 2200],
    ]


def test_rows_without_a_name_among_rows_with_one_are_not_entries() -> None:
    ruled, lines = table(
        [
            ["Description", "Hours", "Total"],
            ["Digging", "3", "30.00"],
            ["Paving", "12", "120.00"],
            ["Sowing", "7", "70.00"],
            ["", "22", "220.00"],
        ]
    )

    found = value({"work": listed(description=TEXT, hours=NUMBER, total=NUMBER)}, page(lines, tables=[ruled]))
    assert [row[0] for row in rows(found["work"])] == ["Digging", "Paving", "Sowing"]


def test_a_cell_that_spans_several_rows_belongs_to_each() -> None:
    ruled, lines = table(
        [
            ["Premises", "Months", "Monthly rent"],
            ["North", "1 - 12", "100.00"],
            ["", "13 - 24", "110.00"],
        ]
    )
    cells = [cell for cell in ruled.cells if (cell.row, cell.column) != (2, 0)]
    next(cell for cell in cells if cell.text == "North").row_span = 2
    ruled.cells[:] = cells
    schema = {"rents": listed(premises=TEXT, months=TEXT, monthly_rent=NUMBER)}

    assert rows(value(schema, page(lines, tables=[ruled]))["rents"]) == [
        ["North", "1 - 12", 100.0],
        ["North", "13 - 24", 110.0],
    ]


def test_lines_that_add_up_to_the_total_under_them_are_a_list_without_headings() -> None:
    texts = [
        ("Previous bill", "66.16"),
        ("Payment received", "-66.16"),
        ("Balance", "0.00"),
        ("Availability charge", "8.75"),
        ("Energy charge 463 kWh x $0.0691", "31.99"),
        ("Total electric bill", "40.74"),
    ]

    found = value({"charges": listed(description=TEXT, amount=NUMBER)}, page(spread(texts, (40, 400))))
    assert rows(found["charges"]) == [["Availability charge", 8.75], ["Energy charge 463 kWh x $0.0691", 31.99]]


def test_lines_that_do_not_add_up_are_not_taken_for_a_list() -> None:
    texts = [("Availability charge", "8.75"), ("Energy charge", "31.99"), ("Total electric bill", "99.00")]

    assert value({"charges": listed(description=TEXT, amount=NUMBER)}, page(spread(texts, (40, 400))))["charges"] == []


def test_prose_under_words_that_look_like_headings_makes_no_rows() -> None:
    pages = written(
        """
Segment          Unit
of the registrant has filed all reports which were required to be filed by the company
during the preceding months or for such shorter period that the company was required
to file such reports and has been subject to such filing requirements for the past days
        """
    )

    assert value({"metrics": listed(segment=TEXT, unit=TEXT, amount=NUMBER)}, pages)["metrics"] == []


def test_headings_are_not_joined_across_the_gap_between_them() -> None:
    texts = [("Description", "Price", "Total"), ("Paint", "10.00", "20.00"), ("Brush", "4.50", "4.50")]
    schema = {"items": listed(description=TEXT, unit_price=NUMBER, line_total=NUMBER)}

    found = value(schema, page(spread(texts, (40, 260, 310))))
    assert rows(found["items"]) == [["Paint", 10.0, 20.0], ["Brush", 4.5, 4.5]]


def test_a_heading_of_several_lines_next_to_the_others_names_its_column() -> None:
    heads = [line(40, 100, "Description"), line(260, 100, "Qty"), line(460, 94, "Line"), line(460, 106, "total")]
    lines = spread([("Paint", "2", "20.00"), ("Brush", "1", "4.50")], (40, 260, 460), top=124)

    found = value({"items": listed(description=TEXT, quantity=NUMBER, line_total=NUMBER)}, page([*heads, *lines]))
    assert rows(found["items"]) == [["Paint", 2, 20.0], ["Brush", 1, 4.5]]


def test_a_cell_printed_lower_than_its_row_belongs_to_it() -> None:
    heads = spread([("Description", "Qty", "Amount")], (40, 260, 460))
    upper = [line(40, 120, "Paint"), line(260, 120, "2"), line(40, 160, "Brush"), line(260, 160, "1")]
    lower = [line(460, 130, "20.00"), line(460, 170, "4.50")]

    found = value({"items": listed(description=TEXT, quantity=NUMBER, amount=NUMBER)}, page([*heads, *upper, *lower]))
    assert rows(found["items"]) == [["Paint", 2, 20.0], ["Brush", 1, 4.5]]


def test_many_remarks_under_an_entry_do_not_end_the_list() -> None:
    remarks = [(f"packed in color {color}",) for color in ("red", "green", "blue", "white", "black", "gray")]
    texts = [("Description", "Qty", "Amount"), ("Paint", "2", "20.00"), *remarks, ("Brush", "1", "4.50")]

    found = value(
        {"items": listed(description=TEXT, quantity=NUMBER, amount=NUMBER)}, page(spread(texts, (40, 260, 460)))
    )
    assert [row[1:] for row in rows(found["items"])] == [[2, 20.0], [1, 4.5]]


def test_a_line_that_fills_few_of_the_columns_is_a_remark_on_its_entry() -> None:
    texts = [
        ("Description", "Qty", "Price", "Amount"),
        ("Paint", "2", "10.00", "20.00"),
        ("", "", "", "-2.00"),
        ("Brush", "1", "4.50", "4.50"),
    ]
    schema = {"items": listed(description=TEXT, quantity=NUMBER, unit_price=NUMBER, amount=NUMBER)}

    found = value(schema, page(spread(texts, (40, 260, 360, 460))))
    assert rows(found["items"]) == [["Paint", 2, 10.0, 20.0], ["Brush", 1, 4.5, 4.5]]


def test_tables_side_by_side_do_not_lend_each_other_their_headings() -> None:
    left, left_lines = narrow([["Amount", "Goods"], ["11.00", "Sand"], ["12.00", "Lime"]], 40)
    right, right_lines = narrow([["Description", "Hours"], ["Digging", "3"], ["Paving", "4"]], 320)
    schema = {"fees": listed(description=TEXT, amount=NUMBER)}

    found = value(schema, page([*left_lines, *right_lines], tables=[left, right]))
    assert rows(found["fees"]) == [["Sand", 11.0], ["Lime", 12.0]]


def narrow(texts: list[list[str]], x: int) -> tuple[Table, list[Line]]:
    cells = [
        Cell(at, place, text, (x + 100 * place, 98 + 14 * at, x + 100 * place + 100, 112 + 14 * at))
        for at, row in enumerate(texts)
        for place, text in enumerate(row)
    ]
    lines = spread([tuple(row) for row in texts], (x + 2, x + 102))
    return Table((x, 98, x + 200, 98 + 14 * len(texts)), len(texts), 2, cells), lines


def test_a_last_row_that_is_the_sum_of_the_others_is_a_total_whatever_it_is_called() -> None:
    texts = [["Label", "This year", "Last year"], ["Sales", "18500", "16200"], ["Costs", "-11100", "-9720"]]
    ruled, lines = table([*texts, ["Frimp", "7400", "6480"]])
    schema = {"income": listed(label=TEXT, this_year=NUMBER, last_year=NUMBER)}

    assert [row[0] for row in rows(value(schema, page(lines, tables=[ruled]))["income"])] == ["Sales", "Costs"]


def test_an_amount_that_happens_to_be_the_sum_of_two_others_is_an_entry() -> None:
    ruled, lines = table([["Article", "Amount"], ["Lamp", "10.00"], ["Desk", "20.00"], ["Sofa", "30.00"]])

    found = value({"items": listed(name=TEXT, amount=NUMBER)}, page(lines, tables=[ruled]))
    assert [row[0] for row in rows(found["items"])] == ["Lamp", "Desk", "Sofa"]


def test_sums_under_the_amounts_are_not_entries_even_next_to_other_text() -> None:
    ruled, lines = table(
        [
            ["Description", "Quantity", "Price", "Amount"],
            ["Lamp", "2", "10.00", "20.00"],
            ["Desk", "1", "90.00", "90.00"],
            ["Thank you for your order", "Net total", "110.00", ""],
            ["Reference 4711", "VAT 10 %", "11.00", ""],
        ]
    )
    schema = {"items": listed(description=TEXT, quantity=NUMBER, unit_price=NUMBER, line_total=NUMBER)}

    assert [row[0] for row in rows(value(schema, page(lines, tables=[ruled]))["items"])] == ["Lamp", "Desk"]


def test_the_line_over_a_table_fills_the_field_that_it_names() -> None:
    heads = ["Months", "Monthly rent"]
    first, first_lines = table([heads, ["1 - 12", "100.00"], ["13 - 24", "110.00"]])
    second, second_lines = table([heads, ["1 - 12", "200.00"]], top=400)
    titles = [line(40, 185, "North Premises (900 m2)"), line(40, 385, "South Premises (400 m2)")]
    schema = {"rents": listed(premises=TEXT, months=TEXT, monthly_rent=NUMBER)}

    found = value(schema, page([*titles, *first_lines, *second_lines], tables=[first, second]))
    assert [row[0] for row in rows(found["rents"])] == ["North Premises", "North Premises", "South Premises"]


def test_a_column_known_by_its_type_only_is_less_sure_than_one_with_its_heading() -> None:
    ruled, lines = table([["Frimp", "Quantity", "Amount"], ["Lamp", "2", "20.00"], ["Desk", "1", "90.00"]])
    schema = {"items": listed(name=TEXT, quantity=NUMBER, amount=NUMBER)}

    found = LocalFields().propose(material(page(lines, tables=[ruled])), {"type": "object", "properties": schema}).found
    assert (found["items[0].name"].score or 0) < (found["items[0].amount"].score or 0)
    assert found["items[0].name"].why == "in a ruled table on page 1"
