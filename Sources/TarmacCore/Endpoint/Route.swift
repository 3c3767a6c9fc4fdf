public import HTTPTypes
import TarmacMasking

/// The method and the URI template of an endpoint (RFC 6570): a path below the service's host, or an absolute URL.
///
/// A malformed template or method never traps: the call that uses it fails with `TarmacError`.
///
/// ```swift
/// static let route: Route = .get("/users/{id}{?fields*}")
/// ```
public struct Route: Sendable {
    /// The method. It is GET if the given name is not a valid method name.
    public let method: HTTPRequest.Method
    /// The template as written.
    public let text: String
    private let parsed: Result<URITemplate, TarmacError>

    private init(_ method: HTTPRequest.Method, _ text: String, parsed: Result<URITemplate, TarmacError>) {
        self.method = method
        self.text = text
        self.parsed = parsed
    }

    private init(_ method: HTTPRequest.Method, _ template: String) {
        self.init(method, template, parsed: Result { () throws(TarmacError) in try URITemplate(template) })
    }

    public static func get(_ template: String) -> Route { Route(.get, template) }
    public static func head(_ template: String) -> Route { Route(.head, template) }
    public static func post(_ template: String) -> Route { Route(.post, template) }
    public static func put(_ template: String) -> Route { Route(.put, template) }
    public static func patch(_ template: String) -> Route { Route(.patch, template) }
    public static func delete(_ template: String) -> Route { Route(.delete, template) }
    public static func options(_ template: String) -> Route { Route(.options, template) }

    /// Returns a route with any other method, such as `REPORT` (RFC 3253 §3.6). Names are case-sensitive (RFC 9110
    /// §9.1).
    public static func method(_ name: String, _ template: String) -> Route {
        guard let method = HTTPRequest.Method(name) else {
            return Route(.get, template, parsed: .failure(invalid(method: name)))
        }
        return Route(method, template)
    }

    /// Returns the parsed template.
    ///
    /// - Throws: `TarmacError(.invalidURL)` for a malformed template, `.invalidOption` for an invalid method
    ///   name.
    package func template() throws(TarmacError) -> URITemplate { try parsed.get() }

    private static func invalid(method: String) -> TarmacError {
        TarmacError(
            .invalidOption, "\"\(URITemplateParser.shown(method))\" is not a method name (RFC 9110 §9.1)",
            suggestion: "use letters, digits and hyphens, such as REPORT")
    }
}

extension Route: MaskedReflectable {
    /// The method and the template, such as `GET /users/{id}`. Credentials in the template are masked.
    public var description: String { method.rawValue + " " + ShownURL.text(text) }
}
