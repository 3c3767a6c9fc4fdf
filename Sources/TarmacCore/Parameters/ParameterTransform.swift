#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Changes parameters before they become path, query, header or body: a signature over sorted parameters, an encrypted
/// field, a filter (YTK-27, XF-11).
///
/// It runs when a call is built, for those who look at the request on its way, and again for every request that is sent: what is
/// for one time only, such as a nonce, is never sent twice. A request that a redirect or an interceptor has changed is sent
/// with the parameters it has; so is one that an outbox kept.
public protocol ParameterTransform: Sendable {
    /// Whether it only protects what is asked, as a signature or a seal does. Caches and shared flights then know a call by its
    /// parameters without it, where it is set for the client or the service. Default `false`: it may change what is asked.
    var onlyProtects: Bool { get }

    /// The parameters to send. What it throws becomes the call's error, with the transform's own error as cause.
    func transform(_ parameters: ParameterList, for request: ParameterTarget) throws -> ParameterList
}

extension ParameterTransform {
    public var onlyProtects: Bool { false }
}

/// What a transform may know of the request.
public struct ParameterTarget: Sendable {
    /// The method, such as `GET`.
    public let method: String
    /// The route's template.
    public let template: String
    /// The endpoint's name.
    public let endpoint: String
    /// The wall date of the client's clock.
    public let date: Date

    public init(method: String, template: String, endpoint: String, date: Date) {
        self.method = method
        self.template = template
        self.endpoint = endpoint
        self.date = date
    }
}
