#if canImport(Darwin)
package import Foundation
package import TarmacCore

/// The properties of Apple's URLSession.
package enum Platform {
    static let capabilities: TransportCapabilities = [
        .backPressure, .decodesContent, .unknownLengthBodies, .resendsOnStaleConnection, .http2, .networkAccess,
    ]
    static let abilities = SettingsRefusal.Abilities(customTrust: true, explicitProxy: true, showsCertificates: true, clientIdentity: true)
    static let exclusions = URLSessionExclusion.apple
    static let readsProxyEnvironment = false
    static let takesIPv6Addresses = true
    // CFNetwork sends only idempotent requests again.
    static let resendsByItself = false
    static let keepsDeadConnections = false
    static let waitsForBody = false
    static let namesTemporaryBodies = true
    static let namesFailuresByText = false

    /// The fields that CFNetwork adds by itself. An empty value prevents the default of the field.
    static let suppressedFields = ["Accept-Language": "", "User-Agent": ""]

    static func start(_ task: @escaping @Sendable () -> Void) { task() }

    package static func makeDelegateQueue() -> OperationQueue {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        return queue
    }

    static func makeBrake(for task: URLSessionTask?) -> (any Brake)? { task.map { SuspendingBrake($0) } }

    static func adapt(_ configuration: URLSessionConfiguration, to settings: ConnectionSettings) {
        guard let proxy = ProxyDictionary.make(settings.proxy, proxiesLoopback: settings.proxiesLoopback) else { return }
        configuration.connectionProxyDictionary = proxy
    }

    static func assumeHTTP3(_ request: inout URLRequest) { request.assumesHTTP3Capable = true }

    package static func restrict(_ request: inout URLRequest, to access: NetworkAccess) {
        request.allowsCellularAccess = access.allowsCellular
        request.allowsExpensiveNetworkAccess = access.allowsExpensive
        request.allowsConstrainedNetworkAccess = access.allowsConstrained
    }

    static func makeTask(
        in session: URLSession, _ request: URLRequest, _ body: RestingBody, for flight: SessionTask
    ) -> URLSessionTask {
        flight.carries(body)
        switch body {
        case .none: return session.dataTask(with: request)
        case .bytes(let bytes): return session.uploadTask(with: request, from: bytes.data)
        case .file(let path, _): return session.uploadTask(with: request, fromFile: URL(fileURLWithPath: path))
        case .temporary(let file, _):
            return session.uploadTask(with: request, fromFile: URL(fileURLWithPath: file.path))
        case .steady(_, let length):
            var request = request
            // Without this field, the body would be sent in chunks. The session asks its delegate for the
            // stream.
            request.setValue(String(length), forHTTPHeaderField: "Content-Length")
            return session.uploadTask(withStreamedRequest: request)
        }
    }
}
#endif
