#if Tools
import Tarmac

/// `--pin sha256/…`, each time that it is given, for the host of the URL.
enum PinArgument {
    static func pins(_ texts: [String], reportOnly: Bool, for url: HTTPURL) throws(TarmacError) -> Pins {
        if texts.isEmpty, reportOnly {
            throw TarmacError(.invalidOption, "--pin-report-only is about pins, and there is no --pin")
        }
        if texts.isEmpty { return .none }
        guard url.isSecure else {
            throw TarmacError(.invalidOption, "--pin is about certificates, and \(url.origin) shows none", suggestion: "use https")
        }
        // A command can be typed again; what a single pin would cut off are apps in the field.
        return [PinSet(url.host, texts.map { .key($0) }, reportsOnly: reportOnly, allowsSinglePin: true)]
    }
}
#endif
