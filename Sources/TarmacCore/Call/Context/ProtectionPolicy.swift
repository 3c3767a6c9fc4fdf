/// Decides whether a request may go where it is about to go without TLS (pure).
struct ProtectionPolicy: Sendable {
    let allowsInsecureHTTP: Bool
    /// Whether every connection goes to a socket of this machine, whatever the URL says.
    let staysOnMachine: Bool
    /// The service, for the error's suggestion.
    let service: String

    enum Decision {
        case send
        /// Send it, and say so.
        case warn(String)
        case refuse(TarmacError)
    }

    func decide(_ url: HTTPURL, phase: TarmacError.Phase) -> Decision {
        if url.isSecure || url.isLoopback || staysOnMachine { return .send }
        if allowsInsecureHTTP { return .warn("plain http to \(url.origin): whoever is on the way can read and change this call") }
        return .refuse(
            TarmacError(
                .insecureHTTP, phase: phase, "\(url) is plain http to another machine, where everyone on the way can read and change the call",
                suggestion: "use https; allowsInsecureHTTP = true, in the settings of the service \(service), gives up the protection"))
    }
}

extension CallContext {
    /// Refuses a request that would go unprotected and must not; warns of one that may.
    func checkProtection(of url: HTTPURL) throws(TarmacError) {
        // Nearly every request: nothing to decide.
        if url.isSecure || url.isLoopback { return }
        switch runtime.protection(options.values).decide(url, phase: .connecting) {
        case .send: return
        case .warn(let warning): emit(.warning(warning))
        case .refuse(let error): throw error
        }
    }
}

extension ServiceRuntime {
    func protection(_ values: OptionValues) -> ProtectionPolicy {
        ProtectionPolicy(
            allowsInsecureHTTP: values.allowsInsecureHTTP, staysOnMachine: (hosts?.connection ?? service.connection).unixSocket != nil,
            service: service.name)
    }
}
