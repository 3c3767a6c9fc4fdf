import Tarmac
import TarmacJSON
import Testing

private enum Keys {
    static let title = JSONKey<String>("title")
    static let price = JSONKey<Double>("offer", "price")
    static let note = JSONKey<String?>("note")
    static let tags = JSONKey<[String]>("tags")
    static let first = JSONKey<String>("tags", 0)
    static let label = JSONKey<String>("label")
}

/// LM-7, LM-9, LM-B3, LM-B6: names with types, and no crash for a missing one.
@Suite("Typed keys") struct JSONKeyTests {
    private let row: JSON = ["title": "cup", "offer": ["price": 2.5], "tags": ["a", "b"]]

    @Test func jsonIsReadWithTheKeysType() throws {
        #expect(try row[Keys.title] == "cup")
        #expect(try row[Keys.price] == 2.5)
        #expect(try row[Keys.tags] == ["a", "b"])
        #expect(try row[Keys.first] == "a")
        #expect(try row[Keys.note] == nil)
    }

    @Test func whatIsMissingOrOfAnotherTypeIsNamed() throws {
        let missing = #expect(throws: JSONError.self) { try row[Keys.label] }
        #expect(missing?.code == .missing && missing?.path.description == "$.label")
        let text = try JSON(parsing: #"{"offer":{"price":"dear"}}"#)
        let mismatch = #expect(throws: JSONError.self) { try text[Keys.price] }
        #expect(mismatch?.code == .typeMismatch && mismatch?.path.description == "$.offer.price")
    }

    @Test func aRowKeepsReformedValuesUnderTheirKeys() throws {
        var cell = ReformedRow()
        #expect(cell.isEmpty && cell[Keys.title] == nil)
        cell[Keys.title] = "Cup"
        cell[Keys.price] = 3
        cell[Keys.tags] = []
        #expect(cell[Keys.title] == "Cup" && cell[Keys.price] == 3 && cell[Keys.tags] == [] && cell.count == 3)
        #expect(cell[JSONKey<Int>("title")] == nil)
        cell[Keys.title] = nil
        #expect(cell[Keys.title] == nil && cell.count == 2)
    }

    @Test func aRowShowsItsKeysAndNoValue() {
        var cell = ReformedRow()
        cell[Keys.title] = "hunter2"
        var dumped = ""
        dump(cell, to: &dumped)
        #expect("\(cell)" == "[$.title]" && !dumped.contains("hunter2"))
    }
}
