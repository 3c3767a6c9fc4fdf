#if Tools
import Foundation
import Tarmac
import TarmacStreams

/// How an event is printed (pure).
struct EventText {
    let isJSON: Bool
    let isTerminal: Bool
    let palette: Palette

    func text(_ event: ServerSentEvent) -> String {
        if isJSON { return Self.json(event) }
        guard isTerminal else { return event.data }
        let id = event.lastEventID.isEmpty ? "" : " #\(Self.harmless(event.lastEventID))"
        return palette.paint(Self.harmless(event.name) + id, .dim) + "\n" + Self.harmless(event.data)
    }

    private static func json(_ event: ServerSentEvent) -> String {
        let id = event.lastEventID.isEmpty ? "" : ",\"id\":\(quoted(event.lastEventID))"
        return "{\"name\":\(quoted(event.name)),\"data\":\(quoted(event.data))\(id)}"
    }

    /// RFC 8259 §7; what ends a line for some readers is escaped too, so that each event stays on one.
    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\u{0}"..."\u{1F}", "\u{7F}", "\u{85}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// A server's words must not move the cursor.
    private static func harmless(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0 != "\n" && $0 != "\t" && $0.properties.generalCategory == .control ? " " : $0 }))
    }
}
#endif
