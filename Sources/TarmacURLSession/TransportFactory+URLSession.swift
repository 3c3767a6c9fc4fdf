public import TarmacCore

extension TransportFactory {
    /// `URLSession`: Apple's own networking on Apple platforms, Foundation's over libcurl on Linux.
    ///
    /// Makes one session for each ``ConnectionSettings``; throws `TarmacError(.unsupported)` naming the first setting
    /// `URLSession` cannot honour. `Documentation/Platforms.md` lists what it cannot do.
    public static var urlSession: TransportFactory {
        TransportFactory(name: URLSessionTransport.name) { settings in
            try URLSessionTransport(settings)
        }
    }
}
