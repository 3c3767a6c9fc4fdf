public import HTTPTypes
import TarmacJSON

/// Masks secrets before anything is shown. Every log, error and export uses it.
public struct Redactor: Sendable, Hashable {
    /// The text that replaces a secret.
    public static let mask = "‹masked›"

    /// The header fields whose values are never shown.
    public var headers: Set<HTTPField.Name> { didSet { sieve = NamePrefilter(of: headers, folded) } }
    /// The names of parameters, form fields and JSON members whose values are never shown.
    ///
    /// Names are compared without regard to case, `_` and `-`, as for `JSONDocument.Options.maskedKeys`.
    public var parameters: Set<String> {
        didSet {
            folded = Self.folded(parameters)
            sieve = NamePrefilter(of: headers, folded)
        }
    }
    /// The names in the form in which they are compared.
    private var folded: Set<String>
    private var sieve: NamePrefilter

    /// Masks credentials, cookies and common names of secrets: those of
    /// `JSONDocument.Options.defaultMaskedKeys` and more.
    public static let standard = Redactor(
        headers: [
            .authorization, .proxyAuthorization, .cookie, .setCookie, .wwwAuthenticate, .proxyAuthenticate,
            .authenticationInfo, .proxyAuthenticationInfo,
            Self.name("X-API-Key"), Self.name("X-Auth-Token"), Self.name("X-CSRF-Token"), Self.name("X-Access-Token"),
        ],
        parameters: [
            "password", "passwd", "pwd", "secret", "token", "access_token", "refresh_token", "id_token", "api_key",
            "apikey", "client_secret", "authorization", "auth", "signature", "sign", "sig", "session", "code_verifier",
        ]
    ).adding(parameters: JSONDocument.Options.defaultMaskedKeys)

    public init(headers: Set<HTTPField.Name>, parameters: Set<String>) {
        self.headers = headers
        self.parameters = Set(parameters.map { $0.lowercased() })
        folded = Self.folded(self.parameters)
        sieve = NamePrefilter(of: headers, folded)
    }

    private static func folded(_ names: Set<String>) -> Set<String> { Set(names.map { JSONDocument.Options.folded($0) }) }

    private static func name(_ text: String) -> HTTPField.Name {
        // The text is a literal of this file and always a valid field name.
        HTTPField.Name(text) ?? .authorization
    }

    /// Returns the redactor with more names.
    public func adding(parameters more: some Sequence<String>) -> Redactor {
        var copy = self
        copy.parameters.formUnion(more.map { $0.lowercased() })
        return copy
    }

    /// Returns the value of a field for display.
    public func value(of field: HTTPField) -> String {
        isSecret(field.name) ? Self.mask : field.value
    }

    /// Whether the value of a field is a secret: a credential, or a parameter with a secret name.
    package func isSecret(_ name: HTTPField.Name) -> Bool {
        sieve.mayHold(name.canonicalName) && (headers.contains(name) || isSecret(name.canonicalName))
    }

    /// Whether the value of a name is a secret.
    public func isSecret(_ name: some StringProtocol) -> Bool {
        sieve.mayHold(name) && folded.contains(JSONDocument.Options.folded(name))
    }

    /// Returns the URL with the secret values of its query masked.
    public func url(_ url: HTTPURL) -> String {
        let base = "\(url.scheme)://\(url.authority)\(url.shownPath)"
        return url.query.map { "\(base)?\(url.shownPath == HTTPURL.hiddenPath ? "…" : form($0))" } ?? base
    }

    /// Returns a query or form text with its secret values masked.
    public func form(_ text: String) -> String {
        text.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { bytes -> Substring in
            let pair = Substring(bytes)
            guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")), hidesSecret(pair[..<equals].formDecoded) else { return pair }
            return pair[...equals] + Self.mask
        }.joined(separator: "&")
    }

    /// Whether a query or form text holds a secret value.
    package func hidesSecret(inForm text: String) -> Bool {
        text.utf8.split(separator: UInt8(ascii: "&")).contains { bytes in
            bytes.firstIndex(of: UInt8(ascii: "=")).map { hidesSecret(Substring(bytes[..<$0]).formDecoded) } ?? false
        }
    }

    /// Whether a name of a query or form is secret or contains a secret name, as `user[password]` and
    /// `user.password` do.
    private func hidesSecret(_ name: String) -> Bool {
        // A secret name with a separator cannot occur in a name without one.
        guard name.utf8.contains(where: Self.isJoint) else { return isSecret(name) }
        if name.utf8.split(whereSeparator: Self.isJoint).contains(where: { isSecret(Substring($0)) }) { return true }
        let lowered = name.lowercased()
        return parameters.contains { $0.utf8.contains(where: Self.isJoint) && lowered.contains($0) }
    }

    private static func isJoint(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: ".")
    }
}

extension Substring {
    /// The text without `+` and percent-encoding (WHATWG URL §5.1).
    fileprivate var formDecoded: String {
        guard contains(where: { $0 == "%" || $0 == "+" }) else { return String(self) }
        var bytes: [UInt8] = []
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let escaped = UInt8(String(rest.prefix(2)) ?? "", radix: 16) {
                bytes.append(escaped)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
