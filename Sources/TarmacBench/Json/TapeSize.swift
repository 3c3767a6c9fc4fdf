#if Tools
import TarmacJSON

/// The memory of a document's index, besides the text.
struct TapeSize: Codable {
    var document: String
    var bytes: Int
    /// The memory that the index keeps, and the most that it reserved while it was made.
    var index: Int
    var peak: Int
    var outcome: JSONBar.Outcome

    static func measure(_ document: BenchDocument) throws -> TapeSize {
        let data = document.data
        let parsed = try JSONDocument(data)
        // Of the peak: what is given back was taken first.
        let ratio = Double(parsed.peakIndexByteCount) / Double(data.count)
        return TapeSize(
            document: document.rawValue, bytes: data.count, index: parsed.indexByteCount, peak: parsed.peakIndexByteCount,
            outcome: JSONBar.Outcome("index memory, \(document.rawValue)", .size(1.5), ratio))
    }
}
#endif
