#if Tools
import Foundation
import TarmacJSON

/// The inputs of the JSON works: two API responses, and documents of the shape and size of the three that JSON parsers
/// are usually compared with. All are generated, the same ones in every run.
enum BenchDocument: String, CaseIterable, Codable {
    /// An array of small objects, 1 KiB.
    case small = "1k"
    /// The same, 100 KiB.
    case large = "100k"
    /// Statuses of a social network with their users, half of the text CJK (after twitter.json): 0.6 MB.
    case nested
    /// A ticket seller's catalogue, deep and indented, dictionaries keyed by number (after citm_catalog.json): 1.7 MB.
    case keyed
    /// Outlines of a country, one number after the other (after canada.json): 2.2 MB.
    case numeric

    var data: Data {
        switch self {
        case .small: ResponseDocument.array(bytes: 1024)
        case .large: ResponseDocument.array(bytes: 102_400)
        case .nested: NestedDocument.data()
        case .keyed: KeyedDocument.data()
        case .numeric: NumericDocument.data()
        }
    }
}

/// Responses of APIs.
enum ResponseDocument {
    /// An array of objects, exactly `bytes` long: spaces fill up.
    static func array(bytes: Int) -> Data {
        var text = "["
        for id in 1... {
            let item = (id > 1 ? "," : "") + item(id)
            if text.utf8.count + item.utf8.count + 1 > bytes { break }
            text += item
        }
        text += "]"
        return Data((text + String(repeating: " ", count: bytes - text.utf8.count)).utf8)
    }

    /// The same array as the payload of an envelope.
    static func envelope(bytes: Int) -> Data {
        Data(#"{"status":1,"message":"ok","data":"#.utf8) + array(bytes: bytes) + Data("}".utf8)
    }

    private static func item(_ id: Int) -> String {
        #"{"id":\#(id),"name":"user \#(id)","email":"user\#(id)@tarmac.example","active":true,"score":\#(Double(id) / 4)}"#
    }
}

extension JSON {
    /// Indented by `step` spaces a level, as such documents are published.
    func indented(by step: Int) -> Data {
        let lines = prettyPrinted.split(separator: "\n").map { line in
            let level = line.prefix { $0 == " " }.count / 2
            return String(repeating: " ", count: level * step) + line.drop { $0 == " " }
        }
        return Data(lines.joined(separator: "\n").utf8)
    }
}
#endif
