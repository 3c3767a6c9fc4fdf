#if Tools
import ArgumentParser
import Tarmac

/// `--insecure`, `--cacert` and `--pin`: whom a command trusts. Every command that sends something takes them.
struct TrustArguments: ParsableArguments {
    @Flag(help: "Trust any certificate. Anyone on the way can then read and change the call.")
    var insecure = false

    @Option(help: ArgumentHelp("Trust the roots in this PEM file too.", valueName: "file"))
    var cacert: String?

    @Option(
        help: ArgumentHelp(
            "A key the host must show, its own or an issuer's: sha256/BASE64. Repeat it for more; one match is enough. A mismatch prints what was shown.",
            valueName: "pin"))
    var pin: [String] = []

    @Flag(help: "Say that no --pin matches, and go on.")
    var pinReportOnly = false

    /// How a connection gets there, and whom it trusts.
    func settings(for url: HTTPURL) throws(TarmacError) -> ConnectionSettings {
        var settings = ConnectionSettings()
        settings.proxy = .environment
        if insecure, cacert != nil {
            throw TarmacError(.invalidOption, "--insecure trusts anyone, so --cacert means nothing", suggestion: "use one of them")
        }
        if insecure { settings.trust = .insecureAcceptAnyCertificate }
        if let cacert { settings.trust = .systemAnd(pemFile: cacert) }
        settings.pins = try PinArgument.pins(pin, reportOnly: pinReportOnly, for: url)
        return settings
    }

    /// The notes that are written before anything is sent.
    func warnings(for url: HTTPURL) -> [String] {
        insecure ? ["--insecure: the certificate of \(url.origin) is NOT checked. Anyone on the way can read and change this call."] : []
    }
}
#endif
