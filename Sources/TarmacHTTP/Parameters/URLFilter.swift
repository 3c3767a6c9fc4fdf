/// Changes the URLs of calls: it can add a query item, a version in the path or another host.
///
/// ```swift
/// struct Versioned: URLFilter {
///     func filter(_ url: HTTPURL, for request: ParameterTarget) -> HTTPURL { url.adding(query: "v", "3.2") }
/// }
/// options.urlFilters.append(Versioned())
/// options.urlFilters.append(.filter { url, _ in url.adding(query: "locale", locale) })
/// ```
/// A filter runs for every URL of the service's own hosts, including absolute routes, after the parameters have
/// their places. It does not run for URLs of other hosts and for raw requests. For common parameters with a
/// placement and secrets, use ``Options/parameters``.
///
/// A filter must not lead to a host outside the service: that causes `TarmacError(.invalidURL)`.
public protocol URLFilter: Sendable {
    /// Returns the URL to send the request to. A `TarmacError` that it throws is passed on. Any other error becomes the
    /// cause of the call's error.
    func filter(_ url: HTTPURL, for request: ParameterTarget) throws -> HTTPURL
}

/// A filter that calls a closure.
public struct ClosureURLFilter: URLFilter {
    private let closure: @Sendable (HTTPURL, ParameterTarget) throws -> HTTPURL
    package init(_ closure: @escaping @Sendable (HTTPURL, ParameterTarget) throws -> HTTPURL) { self.closure = closure }
    public func filter(_ url: HTTPURL, for request: ParameterTarget) throws -> HTTPURL { try closure(url, request) }
}

extension URLFilter where Self == ClosureURLFilter {
    /// Returns a filter that calls a closure.
    public static func filter(_ closure: @escaping @Sendable (HTTPURL, ParameterTarget) throws -> HTTPURL) -> ClosureURLFilter {
        ClosureURLFilter(closure)
    }
}
