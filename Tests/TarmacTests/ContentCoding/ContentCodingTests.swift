import HTTPTypes
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP

@Suite struct ContentCodingTests {
    private func codings(_ values: String...) throws(TarmacError) -> [ContentCoding] {
        var headers = HTTPFields()
        for value in values { headers.append(HTTPField(name: .contentEncoding, value: value)) }
        return try ContentCoding.applied(in: headers)
    }

    @Test(arguments: [
        ("gzip", [ContentCoding.gzip]), ("GZip", [.gzip]), ("x-gzip", [.gzip]), ("X-GZIP", [.gzip]),
        ("deflate, gzip", [.deflate, .gzip]), (" deflate ,,\tgzip , ", [.deflate, .gzip]), ("identity", []),
        ("identity, gzip", [.gzip]), ("", []), ("gzip, gzip, gzip", [.gzip, .gzip, .gzip]),
        ("utf-8", []), ("none", []), ("identity, UTF-8", []), ("binary", []), ("*", []),
    ])
    func fieldIsReadAsAList(_ value: String, _ expected: [ContentCoding]) throws {
        #expect(try codings(value) == expected)
    }

    @Test func repeatedFieldsAreOneList() throws {
        #expect(try codings("deflate", "gzip") == [.deflate, .gzip])
    }

    @Test(arguments: ["zstd", "gzip, compress", "gzip, x-unknown", "aes128gcm", "gzip;q=1"])
    func anUnknownCodingIsNamed(_ value: String) {
        let error = #expect(throws: TarmacError.self) { try codings(value) }
        #expect(error?.code == .undecodableContent)
        #expect(error?.reason.contains(value.split(separator: " ").last ?? "") == true)
        #expect(error?.suggestion?.contains(AcceptEncoding.value) == true)
    }

    @Test(arguments: ["gzip, gzip, gzip, gzip", "identity, identity, identity, gzip"])
    func moreThanThreeCodingsAreRefused(_ value: String) {
        let error = #expect(throws: TarmacError.self) { try codings(value) }
        #expect(error?.code == .undecodableContent)
    }

    @Test func whatIsOfferedCanBeUndone() throws {
        #expect(AcceptEncoding.value.hasPrefix("gzip, deflate"))
        for name in AcceptEncoding.value.split(separator: ",") { #expect(try codings(String(name)).count == 1) }
    }
}
