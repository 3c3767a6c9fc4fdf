public import TarmacCore

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
}
