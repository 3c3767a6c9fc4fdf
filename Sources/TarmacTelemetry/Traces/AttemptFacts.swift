#if Telemetry
import HTTPTypes
import TarmacCore
import Tracing

/// The facts of telemetry about one request on the wire, in the terms of OpenTelemetry's conventions for HTTP clients (pure).
struct AttemptFacts {
    let method: String
    /// The method as sent, if it is not a known one.
    let originalMethod: String?
    let address: String
    let port: Int
    /// The URL with its secrets replaced.
    let url: String
    let template: String?
    /// The number of times that the same request was sent before. See ``RequestCount``.
    let resends: Int
    var status: Int?
    var errorType: String?
    /// The masked reason of a failure.
    var reason: String?
    var version: ProtocolVersion?
    /// The address of the server or the proxy, with its port.
    var peer: String?

    init(_ request: Request, _ context: CallContext, resends: Int, knownMethods: Set<String>) {
        self.init(
            method: request.method.rawValue, url: request.url, shown: context.redactor.url(request.url), template: CallTarget(context).template,
            resends: resends, knownMethods: knownMethods)
    }

    init(method: String, url: HTTPURL, shown: String, template: String?, resends: Int, knownMethods: Set<String>) {
        let isKnown = knownMethods.contains(method)
        self.method = isKnown ? method : "_OTHER"
        originalMethod = isKnown ? nil : method
        address = url.host.withoutBrackets
        port = url.port ?? (url.isSecure ? 443 : 80)
        self.url = shown.split(separator: Redactor.mask, omittingEmptySubsequences: false).joined(separator: "REDACTED")
        self.template = template
        self.resends = resends
    }

    // MARK: The end

    mutating func note(_ response: Response) {
        status = response.status.code
        version = response.version
        if response.status.code >= 400 { errorType = "\(response.status.code)" }
    }

    /// Notes a failure. That of a body keeps the status of its head, and says nothing more about a status that is an error itself.
    mutating func note(_ error: any Error, in context: CallContext) {
        if errorType != nil { return }
        errorType = Self.type(of: error)
        guard let error = (error as? Renewal.Wanted)?.failure as? TarmacError ?? error as? TarmacError else { return }
        status = status ?? error.status?.code
        reason = context.masked(error.reason)
    }

    /// Returns the name of the error's code. There are few codes.
    static func type(of error: any Error) -> String {
        switch error {
        case let error as TarmacError: error.code.name
        case let wanted as Renewal.Wanted: type(of: wanted.failure)
        case is CancellationError: "cancelled"
        default: "_OTHER"
        }
    }

    // MARK: The span

    var spanName: String {
        let name = originalMethod == nil ? method : "HTTP"
        return template.map { "\(name) \($0)" } ?? name
    }

    /// Writes what is known before the request goes out. Samplers decide by it.
    func begin(_ span: any Span) {
        span.updateAttributes { attributes in
            attributes["http.request.method"] = method
            attributes["http.request.method_original"] = originalMethod
            attributes["server.address"] = address
            attributes["server.port"] = port
            attributes["url.full"] = url
            attributes["url.template"] = template
            attributes["http.request.resend_count"] = resends > 0 ? resends : nil
        }
    }

    /// Writes what the end has told, and ends the span. Attributes that a tracer or a stage below has added or changed stay as they are.
    func end(_ span: any Span) {
        span.updateAttributes { attributes in
            if let status { attributes["http.response.status_code"] = status }
            if let errorType { attributes["error.type"] = errorType }
            if let shownVersion {
                attributes["network.protocol.name"] = "http"
                attributes["network.protocol.version"] = shownVersion
            }
            if let (address, port) = peerParts {
                attributes["network.peer.address"] = address
                if let port { attributes["network.peer.port"] = port }
            }
        }
        // A status code says enough.
        if errorType != nil { span.setStatus(SpanStatus(code: .error, message: reason)) }
        span.end()
    }

    var shownVersion: String? { version.map { $0.major >= 2 ? "\($0.major)" : "\($0.major).\($0.minor)" } }

    private var peerParts: (address: String, port: Int?)? {
        guard let peer else { return nil }
        // The path of a Unix socket has no port.
        guard !peer.hasPrefix("/"), let colon = peer.lastIndex(of: ":"), let port = Int(peer[peer.index(after: colon)...]) else { return (peer, nil) }
        return (String(peer[..<colon]).withoutBrackets, port)
    }
}
#endif
