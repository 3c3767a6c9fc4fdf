import TarmacCore

/// The key of a stored token: one service in one environment for one principal.
public struct TokenKey: Sendable, Hashable, CustomStringConvertible {
    private let exactService, exactEnvironment, exactPrincipal: ExactText
    /// The name of the service.
    public var service: String { exactService.text }
    /// The name of the environment.
    public var environment: String { exactEnvironment.text }
    /// The value of ``Options/principal``. Empty if no layer sets one.
    public var principal: String { exactPrincipal.text }

    public init(service: String, environment: String, principal: String = "") {
        exactService = ExactText(service)
        exactEnvironment = ExactText(environment)
        exactPrincipal = ExactText(principal)
    }

    /// The three parts, percent-encoded and joined by `+`. The text is unique for each key and a valid file name.
    public var text: String {
        [service, environment, principal].map(Self.escaped).joined(separator: "+")
    }

    private static func escaped(_ part: String) -> String {
        var text = ""
        for byte in part.utf8 {
            // Upper-case letters are escaped too, because some file systems treat them as lower-case ones.
            let isPlain = PercentEncoding.isUnreserved(byte) && byte != UInt8(ascii: ".") && !(65...90).contains(byte)
            text += isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return text
    }

    /// Returns the key of an entry besides that of the user. The name of no environment has this control character.
    func derived(_ name: String) -> TokenKey { TokenKey(service: service, environment: "\(environment)\u{1F}\(name)", principal: principal) }

    public var description: String { "\(service) in \(environment.prefix { $0 != "\u{1F}" })" + (principal.isEmpty ? "" : " for \(principal)") }
}
