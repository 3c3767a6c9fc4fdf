public import HTTPTypes
package import TarmacMasking

/// Masks secrets before anything is shown. Every log, error and export uses it.
///
/// A secret is known by the words of its name, as in `userPassword2` and `X-Amz-Security-Token`, or by its shape, as a
/// JWT, whatever its name. Documentation/Security.md lists the words and the shapes.
///
/// ```swift
/// Redactor.standard.adding(parameters: ["shoe_size"]).showing("device_id")
/// ```
public struct Redactor: Sendable, Hashable {
    /// The text that replaces a secret.
    public static let mask = "‹masked›"

    /// The header fields whose values are never shown, in addition to those whose names say that they are secret.
    public var headers: Set<HTTPField.Name> { didSet { sieve = Self.sieve(of: headers) } }
    /// The names of parameters, form fields and JSON members whose values are never shown.
    ///
    /// Names are compared without regard to case, `_` and `-`, as for `JSONDocument.Options.maskedKeys`.
    public var parameters: Set<String> {
        didSet { names = names.forgetting(oldValue.subtracting(parameters)).hiding(parameters.subtracting(oldValue)) }
    }
    /// The names that are shown although their words say that they are secret, in lower case and without `_` and `-`.
    public var shownNames: Set<String> { names.shown }
    private(set) var names: SecretNames
    /// Whether a mask says which rule masks the value.
    private var tellsRules = false
    private var sieve: NameSieve

    /// Masks what the words of names and the shapes of values make a secret, and the fields of a server's challenge.
    ///
    /// Its ``parameters`` are the most usual of these names.
    public static let standard = Redactor(
        headers: [
            .authorization, .proxyAuthorization, .cookie, .setCookie, .wwwAuthenticate, .proxyAuthenticate,
            .authenticationInfo, .proxyAuthenticationInfo,
            Self.name("X-API-Key"), Self.name("X-Auth-Token"), Self.name("X-CSRF-Token"), Self.name("X-Access-Token"),
        ], parameters: usualParameters, names: .standard)

    /// Creates a redactor that masks these names alone, and secrets known by their shape.
    public init(headers: Set<HTTPField.Name>, parameters: Set<String>) {
        self.init(headers: headers, parameters: parameters, names: SecretNames.none.hiding(parameters))
    }

    private init(headers: Set<HTTPField.Name>, parameters: Set<String>, names: SecretNames) {
        self.headers = headers
        self.parameters = Set(parameters.map { $0.lowercased() })
        self.names = names
        sieve = Self.sieve(of: headers)
    }

    private static func name(_ text: String) -> HTTPField.Name {
        // The text is a literal of this file and always a valid field name.
        HTTPField.Name(text) ?? .authorization
    }

    private static func sieve(of headers: Set<HTTPField.Name>) -> NameSieve { NameSieve(of: Set(headers.map(\.canonicalName))) }

    /// Returns the redactor with more names.
    public func adding(parameters more: some Sequence<String>) -> Redactor {
        let more = Set(more.map { $0.lowercased() })
        var copy = self
        copy.parameters.formUnion(more)
        copy.names = copy.names.hiding(more)
        return copy
    }

    /// Returns the redactor that shows the values of these names, unless their shape makes them a secret.
    public func showing(_ shown: String...) -> Redactor { showing(shown) }

    /// Returns the redactor that shows the values of these names, unless their shape makes them a secret.
    public func showing(_ shown: some Sequence<String>) -> Redactor {
        let shown = Set(shown.map { $0.lowercased() })
        if shown.isEmpty { return self }
        var copy = self
        copy.parameters.subtract(shown)
        copy.names = copy.names.showing(shown)
        return copy
    }

    // MARK: Names

    /// Returns the value of a field for display.
    public func value(of field: HTTPField) -> String { rule(for: field).map(shown) ?? texts(.inPairs).masked(field.value, shown) }

    /// Whether the value of a field is a secret: a credential, or a parameter with a secret name.
    package func isSecret(_ name: HTTPField.Name) -> Bool { names.rule(for: name.canonicalName) != nil || isListed(name) }

    private func isListed(_ name: HTTPField.Name) -> Bool { sieve.mayHold(name.canonicalName) && headers.contains(name) }

    /// Whether the value of a name is a secret.
    public func isSecret(_ name: some StringProtocol) -> Bool { isSecret(String(name)) }

    package func isSecret(_ name: String) -> Bool { names.rule(for: name) != nil }

    // MARK: Rules

    /// Returns the mask with its rule, as `explain` shows it: `‹masked: token›`.
    package static func mask(for rule: SecretRule) -> String { "‹masked: \(rule)›" }

    /// The same redactor, with masks that say which rule masks the value.
    package var explaining: Redactor {
        var copy = self
        copy.tellsRules = true
        return copy
    }

    func shown(_ rule: SecretRule) -> String { tellsRules ? Self.mask(for: rule) : Self.mask }

    /// Returns the rule that masks a value, by its name or its shape; `nil` for a value that is shown as it is.
    package func rule(for name: String, value: SecretValue) -> SecretRule? {
        if let rule = names.rule(for: name, value: value) { return rule }
        guard case .text(let text) = value else { return nil }
        return texts(.inAddresses).rule(in: String(text))
    }

    /// Returns the rule that masks the whole value of a field.
    package func rule(for field: HTTPField) -> SecretRule? {
        names.rule(for: field.name.canonicalName, value: .text(field.value)) ?? (isListed(field.name) ? .credentials : nil)
    }

    func texts(_ places: SecretText.Names) -> SecretText { SecretText(names: names, in: places) }

    // MARK: Texts

    /// Returns the value of a member, field or parameter whose name says nothing, with the secrets in it masked.
    package func value(_ text: String, in places: SecretText.Names = .inAddresses) -> String { texts(places).masked(text, shown) }

    /// Returns the URL with the secrets of its path and query masked.
    public func url(_ url: HTTPURL) -> String {
        let base = value("\(url.scheme)://\(url.authority)\(url.shownPath)")
        return url.query.map { "\(base)?\(url.shownPath == HTTPURL.hiddenPath ? "…" : form($0))" } ?? base
    }

    /// Returns a query or form text with its secret values masked.
    public func form(_ text: String) -> String { FormMask(names).masked(text, shown) }

    /// Whether a query or form text holds a secret value.
    package func hidesSecret(inForm text: String) -> Bool { FormMask(names).rule(in: text) != nil }
}

extension Redactor {
    private static let usualParameters: Set<String> = [
        "password", "passwd", "pwd", "secret", "token", "access_token", "refresh_token", "id_token", "api_key", "apikey",
        "client_secret", "authorization", "auth", "signature", "sign", "sig", "session", "code_verifier", "passphrase",
        "clientsecret", "accesstoken", "refreshtoken", "idtoken", "sessiontoken", "privatekey", "cookie", "sessionid", "pin",
        "otp", "cvv", "cardnumber", "credential", "credentials",
    ]
}
