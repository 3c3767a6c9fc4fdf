#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What keeps the cookies of calls. `CookieJar` of TarmacCookies is one.
///
/// It is asked for every request that goes out and told of every response that sets a cookie, those of redirects
/// included; answers out of a cache set none again.
public protocol CookieKeeper: Sendable {
    /// The value of the Cookie field of a request; `nil` for no field.
    ///
    /// An error becomes a ``CallEvent/Kind/warning(_:)``: without its cookies the call goes on.
    func cookieField(for url: HTTPURL, scope: CookieScope, at date: Date) throws -> String?

    /// Keeps what a response sets, given the values of its Set-Cookie fields in order.
    func keep(_ fields: [String], from url: HTTPURL, scope: CookieScope, at date: Date) throws
}

/// Whose cookies they are: those of different principals, services and environments are never seen by each other (law 7).
///
/// A principal is known by ``Options/principal`` and the authenticator's account, else by the credentials it sends.
public struct CookieScope: Hashable, Sendable, CustomStringConvertible {
    private let principal: Principal

    package init(_ principal: Principal) { self.principal = principal.byName }

    /// A text that stands for it in a durable store; `nil` for a principal known by its credentials alone, which no file
    /// must tell: its cookies last as long as the jar.
    public var durableText: String? { principal.openText }

    /// Names no credential.
    public var description: String { "\(principal)" }
}
