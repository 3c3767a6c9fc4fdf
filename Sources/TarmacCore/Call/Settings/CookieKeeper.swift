#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A store for the cookies of calls, such as `CookieJar` of TarmacCookies.
///
/// The client asks it for the cookies of every outgoing request, and gives it every response that sets a cookie,
/// including redirect responses. Responses from a cache set no cookies again.
public protocol CookieKeeper: Sendable {
    /// Returns the value of a request's Cookie field, or `nil` for no field.
    ///
    /// An error becomes a ``CallEvent/Kind/warning(_:)``, and the call continues without cookies.
    func cookieField(for url: HTTPURL, scope: CookieScope, at date: Date) throws -> String?

    /// Keeps the cookies that a response sets. `fields` are the values of its Set-Cookie fields, in order.
    func keep(_ fields: [String], from url: HTTPURL, scope: CookieScope, at date: Date) throws

    /// Whether ``load()`` must come before the first use. Default: `false`.
    var needsLoading: Bool { get }

    /// Reads the saved cookies. A call waits for it until its own deadline. Default: does nothing.
    func load() async

    /// Whether cookies are written behind the calls. A client that shuts down then calls ``flush()``, if the keeper is a
    /// class. Default: `false`.
    var isDurable: Bool { get }

    /// Writes the cookies that were not written yet. Default: does nothing.
    func flush() async throws
}

extension CookieKeeper {
    public var needsLoading: Bool { false }
    public func load() async {}
    public var isDurable: Bool { false }
    public func flush() async throws {}
}

/// The scope of cookies. Cookies of different principals, services and environments are kept apart.
///
/// A principal is identified by ``Options/principal`` and the authenticator's account, or otherwise by the
/// credentials it sends.
public struct CookieScope: Hashable, Sendable, CustomStringConvertible {
    private let principal: Principal

    package init(_ principal: Principal) { self.principal = principal.byName }

    /// A text that identifies the scope in a durable store, or `nil` for a principal known only by its credentials.
    ///
    /// Credentials must not be written to a file, so those cookies last as long as the cookie jar.
    public var durableText: String? { principal.openText }

    /// A text without credentials.
    public var description: String { "\(principal)" }
}
