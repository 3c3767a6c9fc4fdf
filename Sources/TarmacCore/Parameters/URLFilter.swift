/// Changes the URL of calls: a common argument, a version in the path, another shard (YTK-27).
///
/// ```swift
/// struct Versioned: URLFilter {
///     func filter(_ url: HTTPURL, for request: ParameterTarget) -> HTTPURL { url.adding(query: "v", "3.2") }
/// }
/// options.urlFilters.append(Versioned())
/// options.urlFilters.append(.filter { url, _ in url.adding(query: "locale", locale) })
/// ```
/// It runs for every URL of the service's own hosts, absolute routes included (YTK-B17), after the parameters have found
/// their places; common *parameters*, which know their placement and their secrets, are ``Options/parameters``. URLs of
/// strangers, and requests sent raw, are not filtered. A filter must stay within the service's hosts.
public protocol URLFilter: Sendable {
    /// The URL to send to. What it throws becomes the call's error, with the filter's own error as cause.
    func filter(_ url: HTTPURL, for request: ParameterTarget) throws -> HTTPURL
}

/// A filter made of a closure.
public struct ClosureURLFilter: URLFilter {
    private let closure: @Sendable (HTTPURL, ParameterTarget) throws -> HTTPURL
    public init(_ closure: @escaping @Sendable (HTTPURL, ParameterTarget) throws -> HTTPURL) { self.closure = closure }
    public func filter(_ url: HTTPURL, for request: ParameterTarget) throws -> HTTPURL { try closure(url, request) }
}

extension URLFilter where Self == ClosureURLFilter {
    /// A filter made of a closure.
    public static func filter(_ closure: @escaping @Sendable (HTTPURL, ParameterTarget) throws -> HTTPURL) -> ClosureURLFilter {
        ClosureURLFilter(closure)
    }
}

/// Runs the filters of a call to one of the service's own hosts, each on what the one before made.
struct URLFiltering {
    let filters: [any URLFilter]
    let target: ParameterTarget
    let owns: (WebOrigin) -> Bool

    func filtered(_ url: HTTPURL) throws(TarmacError) -> HTTPURL {
        var result = url
        for filter in filters { result = try run(filter, on: result) }
        return result
    }

    private func run(_ filter: any URLFilter, on url: HTTPURL) throws(TarmacError) -> HTTPURL {
        let result: HTTPURL
        do { result = try filter.filter(url, for: target) } catch let error as TarmacError { throw error } catch {
            throw TarmacError(.interceptorFailed, "the URL filter \(type(of: filter)) threw \(type(of: error))", cause: error)
        }
        guard owns(result.origin) else {
            throw TarmacError(
                .invalidURL, "the URL filter \(type(of: filter)) leads \(url) to \(result.origin), which is no host of the service",
                suggestion: "add it to the service's Hosts, or call an absolute URL")
        }
        // A URL made anew does not know which part of its path is a secret.
        return url.hidesPath && !result.hidesPath ? result.showing(path: HTTPURL.hiddenPath) : result
    }
}
