import Foundation
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacResumableUpload
@testable import TarmacTransfer

/// Writers of texts from outside. No name or value may end its line, its quotes or its part.
extension ReaderFuzzTests {
    static let forms = [
        FuzzedReader(text: "multipart", ["photo\u{0}1.jpg\u{0}image/jpeg\u{0}boundary\u{0}a=b&c=d%20e", "\"\r\n\u{0}a\"b\u{0}\u{0}b\u{0}"], share: 1) { input in
            let texts = input.split(separator: "\u{0}", maxSplits: 4, omittingEmptySubsequences: false).map(String.init)
            func text(_ place: Int) -> String { place < texts.count ? texts[place] : "" }
            let part = Multipart.Part.data(text(0), Data(text(4).utf8), fileName: text(1))
            for part in Multipart.Part.fields(text(4)) + [.field(text(1), text(0)), part] { check(part) }
            _ = try Body.multipart([part])
            let typed = Multipart.Part.data(text(0), Data(), fileName: text(1), contentType: text(2))
            _ = try Body.multipart([typed, .field(text(0), text(1))], boundary: text(3))
            check(typed)
        },
        FuzzedReader(text: "content-disposition", ["film.mp4", "é \"a\".txt", "\r\nX: y"]) { name in
            let fields = try UploadProtocol.ietf.wire.creation(UploadSource.data(Data(), name: name))
            guard let value = fields[.contentDisposition] else { return }
            let quotes = value.utf8.count { $0 == UInt8(ascii: "\"") }
            #expect(quotes == 2 && value.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "\(value)")
            let coded = value.components(separatedBy: "filename*=UTF-8''")
            #expect(coded.count == 1 || coded.last?.removingPercentEncoding != nil, "\(value)")
        },
    ]

    /// The head has two lines at most, and only the quotes that are its own.
    private static func check(_ part: Multipart.Part) {
        let head = String(decoding: part.head, as: UTF8.self), lines = head.components(separatedBy: "\r\n")
        let count = part.contentType == nil ? 3 : 4
        #expect(lines.count == count && lines.suffix(2) == ["", ""] && !lines.joined().unicodeScalars.contains("\n"), "\(head.debugDescription)")
        #expect(lines.first?.unicodeScalars.count { $0 == "\"" } == (part.fileName == nil ? 2 : 4), "\(head.debugDescription)")
    }
}
