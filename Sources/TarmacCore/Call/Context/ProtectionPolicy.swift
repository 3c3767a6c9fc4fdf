/// Decides whether a request may be sent to its URL without TLS (pure).
struct ProtectionPolicy: Sendable {
    let allowsInsecureHTTP: Bool
    /// Whether every connection uses a socket of this machine, regardless of the URL.
    let staysOnMachine: Bool
    /// The name of the service, for the error's suggestion.
    let service: String

    enum Decision {
        case send
        /// Send the request with a warning.
        case warn(String)
        case refuse(TarmacError)
    }

    func decide(_ url: HTTPURL, phase: TarmacError.Phase) -> Decision {
        if url.isSecure || url.isLoopback || staysOnMachine { return .send }
        if allowsInsecureHTTP { return .warn("plain http to \(url.origin): anyone on the network path can read and change this call") }
        return .refuse(
            TarmacError(
                .insecureHTTP, phase: phase, "\(url) is plain http to another machine, where everyone on the way can read and change the call",
                suggestion: "use https; allowsInsecureHTTP = true, in the settings of the service \(service), gives up the protection"))
    }
}

extension CallContext {
    /// Throws for an unprotected request that is not allowed, and emits a warning for one that is.
    func checkProtection(of url: HTTPURL) throws(TarmacError) {
        // Nearly every request: nothing to decide.
        if url.isSecure || url.isLoopback { return }
        switch runtime.scope.protection(options.values).decide(url, phase: .connecting) {
        case .send: return
        case .warn(let warning): emit(.warning(warning))
        case .refuse(let error): throw error
        }
    }
}

extension ServiceScope {
    func protection(_ values: OptionValues) -> ProtectionPolicy {
        ProtectionPolicy(
            allowsInsecureHTTP: values.allowsInsecureHTTP, staysOnMachine: (hosts?.connection ?? service.connection).unixSocket != nil,
            service: name)
    }
}
