public import TarmacCore
#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension TransportFactory {
    /// `URLSession`: Apple's own networking on Apple platforms, and Foundation's over libcurl on Linux.
    ///
    /// The factory makes one session for each ``ConnectionSettings``. It throws `TarmacError(.unsupported)`
    /// with the name of the first setting that `URLSession` does not support. `Documentation/Platforms.md`
    /// lists the limits of `URLSession`.
    public static var urlSession: TransportFactory {
        TransportFactory(name: URLSessionTransport.name) { settings in
            try URLSessionTransport(settings)
        }
    }

    /// `URLSession` with properties and a delegate of the app's own, such as for a VPN per app, managed devices or a service type.
    ///
    /// ```swift
    /// Client(transport: .urlSession { $0.multipathServiceType = .handover })
    /// ```
    /// Tarmac then sets what Documentation/Platforms.md lists. A property that is changed in the closure and that Tarmac sets is
    /// `TarmacError(.invalidOption)`, which names it and the setting to use.
    ///
    /// - Parameters:
    ///   - delegate: hears the metrics of each task, and answers the challenges that no setting answers. Apple platforms only. Default: none.
    ///   - configure: changes the configuration of each session. Default: nothing.
    public static func urlSession(
        delegate: (any URLSessionTaskDelegate & Sendable)? = nil, configure: @escaping @Sendable (URLSessionConfiguration) -> Void
    ) -> TransportFactory {
        TransportFactory(name: URLSessionTransport.name) { settings in
            try URLSessionTransport(settings, own: OwnSession(delegate: delegate, change: configure))
        }
    }
}
