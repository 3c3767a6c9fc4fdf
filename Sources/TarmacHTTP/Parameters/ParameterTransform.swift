#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Changes the parameters of a call before they become a part of the path, query, header or body: a signature
/// over sorted parameters, an encrypted field, a filter.
///
/// The transform runs when a call is built, for the stages that read the request, and again for every request
/// that is sent. A value for one use only, such as a nonce, is therefore never sent twice. A request that a
/// redirect or an interceptor has changed keeps its parameters, and so does a request from an outbox.
public protocol ParameterTransform: Sendable {
    /// Whether the transform only protects the request, as a signature or encryption does. Default: `false`,
    /// because it may change the meaning of the request.
    ///
    /// If it is `true` and the transform is set for the client or the service, caches and shared requests
    /// identify a call by its parameters before the transform.
    var onlyProtects: Bool { get }

    /// Returns the parameters to send. A `TarmacError` that it throws is passed on. Any other error becomes the cause
    /// of the call's error.
    func transform(_ parameters: ParameterList, for request: ParameterTarget) throws -> ParameterList
}

extension ParameterTransform {
    public var onlyProtects: Bool { false }
}

/// The properties of a request that a transform may use.
public struct ParameterTarget: Sendable {
    /// The method, such as `GET`.
    public let method: String
    /// The route's template.
    public let template: String
    /// The endpoint's name.
    public let endpoint: String
    /// The wall date of the client's clock.
    public let date: Date

    package init(method: String, template: String, endpoint: String, date: Date) {
        self.method = method
        self.template = template
        self.endpoint = endpoint
        self.date = date
    }
}
