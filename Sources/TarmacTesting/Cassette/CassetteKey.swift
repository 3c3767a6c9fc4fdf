import TarmacCore
import TarmacJSON

/// The properties that two requests must share to have the same response (pure).
struct CassetteKey: Sendable {
    private enum Content: Sendable, Equatable {
        /// Not recorded, and therefore not compared.
        case unknown
        case text(String)
        case json(JSON)
        case form([String])
    }
    private let method: String
    private let path: String
    private let query: [String]?
    private let body: Content

    /// - Parameter mask: The mask that was applied to the recording.
    init(_ request: HAR.Request, _ mask: CassetteMask) {
        method = request.method
        let parts = mask.url(request.url).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(parts[0])
        query = parts.count == 2 ? Self.sorted(parts[1]) : nil
        body = Self.content(of: request.postData, mask)
    }

    func isMatched(by other: CassetteKey) -> Bool {
        method == other.method && path == other.path && query == other.query && (body == .unknown || other.body == .unknown || body == other.body)
    }

    private static func content(of data: HAR.PostData?, _ mask: CassetteMask) -> Content {
        guard let data else { return .text("") }
        guard let text = data.text else { return .unknown }
        let type = data.mimeType ?? ""
        guard data.encoding == nil, let masked = mask.text(Bytes(text), type: type).text else { return .text(text) }
        if type.lowercased().hasPrefix("application/x-www-form-urlencoded") { return .form(sorted(masked[...])) }
        return (try? JSON(parsing: masked)).map { .json($0) } ?? .text(masked)
    }

    /// Returns pairs sorted by name; pairs with the same name keep their order.
    private static func sorted(_ pairs: Substring) -> [String] {
        let pairs = pairs.split(separator: "&").enumerated()
        let named = pairs.map { (name: $0.element.prefix { $0 != "=" }, offset: $0.offset, text: String($0.element)) }
        return named.sorted { ($0.name, $0.offset) < ($1.name, $1.offset) }.map(\.text)
    }
}
