#if Tools
import ArgumentParser
import Tarmac

/// `--insecure`, `--cacert` and `--pin`: whom a command trusts, and how it gets there.
enum TrustArgument {
    static let cacertHelp = ArgumentHelp("Trust the roots in this PEM file too.", valueName: "file")
    static let pinHelp = ArgumentHelp(
        "A key the host must show, its own or an issuer's: sha256/BASE64. Repeat it for more; one match is enough. A mismatch prints what was shown.",
        valueName: "pin")

    static func settings(insecure: Bool, cacert: String?, pins: [String], reportOnly: Bool, for url: HTTPURL) throws(TarmacError) -> ConnectionSettings {
        var settings = ConnectionSettings()
        settings.proxy = .environment
        if insecure, cacert != nil {
            throw TarmacError(.invalidOption, "--insecure trusts anyone, so --cacert means nothing", suggestion: "use one of them")
        }
        if insecure { settings.trust = .insecureAcceptAnyCertificate }
        if let cacert { settings.trust = .systemAnd(pemFile: cacert) }
        settings.pins = try PinArgument.pins(pins, reportOnly: reportOnly, for: url)
        return settings
    }
}
#endif
