#if Tools
import Foundation

/// How a secret is written where it is planted. The look at a text finds each of them.
enum PlantedCoding: Sendable, CaseIterable {
    case plain
    /// Every byte as `%78`, as in a URL or a form.
    case percent
    /// Every character as `\u0078`, as in a string of JSON.
    case escaped
    /// In Base64, behind a name and a colon as in `Authorization: Basic`.
    case basic

    func written(_ secret: String) -> String {
        switch self {
        case .plain: secret
        case .percent: secret.utf8.map { String(format: "%%%02X", $0) }.joined()
        case .escaped: secret.utf16.map { String(format: "\\u%04x", $0) }.joined()
        case .basic: Data("ann:\(secret)".utf8).base64EncodedString()
        }
    }

    /// Returns the texts by which a mark shows in a normal form of the coding.
    static func traces(of mark: String) -> [String] {
        let percent = PlantedCoding.percent.written(mark).lowercased(), escaped = PlantedCoding.escaped.written(mark).replacingOccurrences(of: "\\", with: "")
        // Base64 writes three bytes as four characters, so there are three ways to write the mark. The characters at both ends hold other bits as well.
        let base64 = (0..<3).map { shift in
            let text = Data((String(repeating: " ", count: shift) + mark).utf8).base64EncodedString().prefix { $0 != "=" }
            return String(text.dropFirst((shift * 8 + 5) / 6).prefix((mark.utf8.count * 8 - 6) / 6))
        }
        return [percent, escaped] + base64
    }
}
#endif
