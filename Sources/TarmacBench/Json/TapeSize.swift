#if Tools
import TarmacJSON

/// What the index of a document takes beside the text.
struct TapeSize: Codable {
    var document: String
    var bytes: Int
    var index: Int
    var outcome: JSONBar.Outcome

    static func measure(_ document: BenchDocument) throws -> TapeSize {
        let data = document.data
        let index = try JSONDocument(data).indexByteCount
        return TapeSize(
            document: document.rawValue, bytes: data.count, index: index,
            outcome: JSONBar.Outcome("index memory, \(document.rawValue)", .size(1.5), Double(index) / Double(data.count)))
    }
}
#endif
