#if Tools
import Tarmac
import TarmacCore

/// How a body is shown.
enum BodyStyle: Equatable, Sendable {
    /// Byte for byte, as it arrives.
    case raw
    /// Collected, then laid out.
    case json
    /// Collected, then read in its charset.
    case text(charset: String)
    /// Not shown: it would upset the terminal.
    case withheld

    /// The largest body that is collected to be shown.
    static let collectedLimit = 16 << 20

    /// - Parameters:
    ///   - beginning: the first chunk, which decides where the server does not say what it sends.
    init(isTerminal: Bool, mediaType: MediaType?, beginning: Bytes) {
        self = isTerminal ? Self.onTerminal(mediaType, beginning) : .raw
    }

    private static func onTerminal(_ type: MediaType?, _ beginning: Bytes) -> BodyStyle {
        guard let type else { return looksBinary(beginning) ? .withheld : .raw }
        if type.isJSON { return .json }
        guard isText(type) else { return looksBinary(beginning) ? .withheld : .raw }
        guard let charset = type.charset, !["utf-8", "utf8", "us-ascii"].contains(charset) else { return .raw }
        return .text(charset: charset)
    }

    private static func isText(_ type: MediaType) -> Bool {
        type.essence.hasPrefix("text/") || type.essence.hasSuffix("+xml") || textTypes.contains(type.essence)
    }

    private static let textTypes: Set<String> = [
        "application/xml", "application/javascript", "application/x-www-form-urlencoded", "application/x-ndjson",
    ]

    private static func looksBinary(_ bytes: Bytes) -> Bool {
        bytes.withUnsafeBytes { $0.prefix(1_024).contains { $0 == 0 || $0 == 0x7F || $0 < 0x07 } }
    }
}
#endif
