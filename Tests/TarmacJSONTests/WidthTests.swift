import Foundation
import TarmacJSON
import Testing

@Suite struct WidthTests {
    private struct Widths: Codable, Equatable {
        var a = Int8.min, b = Int16.min, c = Int32.min, d = Int64.min
        var e = UInt8.max, f = UInt16.max, g = UInt32.max, h = UInt64.max
        var i = UInt.max, j = Float(0.5)
    }

    private struct Optionals: Codable, Equatable {
        var a: Int8?, b: Int16?, c: Int32?, d: Int64?
        var e: UInt8?, f: UInt16?, g: UInt32?, h: UInt64?
        var i: UInt?, j: Float?
    }

    @Test func numbersOfEveryWidthAreReadAsTheyWereWritten() throws {
        let data = try TarmacJSONEncoder().encode(Widths())
        #expect(try TarmacJSONDecoder().decode(Widths.self, from: data) == Widths())
        let there = try JSONDecoder().decode(Widths.self, from: data)
        #expect(there == Widths())
    }

    @Test func optionalNumbersOfEveryWidthAreReadOrNil() throws {
        let data = try TarmacJSONEncoder().encode(Widths())
        let present = try TarmacJSONDecoder().decode(Optionals.self, from: data)
        #expect([present.a.map(Int.init), present.b.map(Int.init), present.c.map(Int.init)] == [Int(Int8.min), Int(Int16.min), Int(Int32.min)])
        #expect(present.d == .min && present.e == .max && present.f == .max && present.g == .max && present.h == .max)
        #expect(present.i == .max && present.j == 0.5)
        let empty = try TarmacJSONDecoder().decode(Optionals.self, from: Data(#"{"a":null,"h":null}"#.utf8))
        #expect(empty == Optionals())
    }

    @Test(arguments: [#"{"a":128}"#, #"{"b":-32769}"#, #"{"c":2147483648}"#, #"{"e":-1}"#, #"{"f":65536}"#, #"{"g":4294967296}"#, #"{"i":-1}"#])
    func aNumberThatDoesNotFitItsMemberIsAnError(text: String) {
        #expect(throws: (any Error).self) { try TarmacJSONDecoder().decode(Optionals.self, from: Data(text.utf8)) }
    }
}
