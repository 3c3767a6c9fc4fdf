import HTTPTypes
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TarmacCore

/// Credentials that are the same with every request.
protocol FixedCredentials: Sendable, CustomStringConvertible, CustomReflectable {
    /// The name that `explain` shows.
    var name: String { get }
    /// The names of fields and parameters that are not masked by default.
    var secretNames: Set<String> { get }
    /// The reason why the credentials are invalid, or `nil`.
    var fault: String? { get }
    /// The parameter that they add to the query.
    var parameter: String? { get }
    func authorize(_ request: inout Request)
}

extension FixedCredentials {
    var secretNames: Set<String> { [] }
    var fault: String? { nil }
    var parameter: String? { nil }
    var description: String { name }
    var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

/// A bearer token (RFC 6750 §2.1).
struct BearerCredentials: FixedCredentials {
    let field: HTTPField
    var name: String { "Bearer" }

    init(_ token: String) throws(TarmacError) {
        // Visible ASCII without quotes and commas, so that a line break or a quoted token is refused before it is sent. Servers use more than the
        // b64token of RFC 6750 §2.1, such as "2|AbCd", which RFC 6749 §A.12 allows.
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: ",") }) else {
            throw TarmacError(
                .invalidParameter, phase: .authenticating, "the bearer token is empty or holds a character that no token has",
                suggestion: "visible ASCII characters but quotes and commas are allowed (RFC 6749 §A.12)")
        }
        field = HTTPField(name: .authorization, value: "Bearer \(token)")
    }

    func authorize(_ request: inout Request) { request.authorizeUnlessDone(field) }
}

/// A user name and a password (RFC 7617 §2, with UTF-8 as in §2.1).
struct BasicCredentials: FixedCredentials {
    let field: HTTPField
    var name: String { "Basic" }

    init(user: String, password: String) throws(TarmacError) {
        guard !user.contains(":") else { throw Self.unusable("its user name holds a colon, which would end it") }
        let text = "\(user):\(password)"
        guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            throw Self.unusable("its user name or password holds a control character")
        }
        field = HTTPField(name: .authorization, value: "Basic \(Data(text.utf8).base64EncodedString())")
    }

    func authorize(_ request: inout Request) { request.authorizeUnlessDone(field) }

    private static func unusable(_ reason: String) -> TarmacError { TarmacError(.invalidOption, phase: .authenticating, reason) }
}

/// A key in a header field.
struct HeaderKey: FixedCredentials {
    private let field: HTTPField
    var name: String { "API key in header \(field.name.rawName)" }
    var secretNames: Set<String> { [field.name.canonicalName] }

    init(_ name: String, _ key: String) throws(TarmacError) {
        if key.isEmpty { throw TarmacError(.invalidParameter, phase: .authenticating, "the API key is empty") }
        field = try HTTPField.checked(name, key)
    }

    func authorize(_ request: inout Request) { request.authorizeUnlessDone(field) }
}

/// A key in the query.
struct QueryKey: FixedCredentials {
    private let label: String
    private let text: String
    var name: String { "API key in query \(label)" }
    var secretNames: Set<String> { [label.lowercased()] }
    var parameter: String? { text }

    init(_ name: String, _ key: String) throws(TarmacError) {
        guard !name.isEmpty else { throw TarmacError(.invalidParameter, phase: .authenticating, "the API key's parameter has no name") }
        if key.isEmpty { throw TarmacError(.invalidParameter, phase: .authenticating, "the API key is empty") }
        label = name
        text = try QueryEncoder().encode([name: key])
    }

    func authorize(_ request: inout Request) {
        request.url = request.url.with(query: request.url.query.map { $0.isEmpty ? text : "\($0)&\(text)" } ?? text)
        request.secrets.names.insert(label)
    }
}

/// Invalid credentials. Every call with them is refused.
struct UnusableCredentials: FixedCredentials {
    let error: TarmacError
    var name: String { "unusable" }
    var fault: String? { error.reason }
    func authorize(_ request: inout Request) {}
}

extension Request {
    /// Sets a field and replaces an earlier one.
    mutating func authorize(_ field: HTTPField) {
        if headers.contains(field.name) { headers[field.name] = nil }
        headers.append(field)
    }

    /// Sets a field unless the call has one itself.
    fileprivate mutating func authorizeUnlessDone(_ field: HTTPField) {
        if !headers.contains(field.name) { headers.append(field) }
        // The standard fields are masked everywhere; this one only where it is known.
        if !Redactor.standard.headers.contains(field.name) { secrets.names.insert(field.name.canonicalName) }
    }
}
