#if Tools
import TarmacJSON

/// What the index of a document takes beside the text.
struct TapeSize: Codable {
    var document: String
    var bytes: Int
    var index: Int
    var ratio: Double { Double(index) / Double(bytes) }
    static let bar = 1.5
    var holds: Bool { ratio <= Self.bar }

    static func measure(_ document: BenchDocument) throws -> TapeSize {
        let data = document.data
        return TapeSize(document: document.rawValue, bytes: data.count, index: try JSONDocument(data).indexByteCount)
    }
}
#endif
