#if Tools
import Tarmac
import TarmacCore

/// The pins a server showed, one a line, so that they can be copied.
enum PinReportText {
    static func headline(_ report: PinReport) -> String {
        let count = report.expected.count == 1 ? "the pin is" : "none of the \(report.expected.count) pins is"
        return "\(count)\(report.expected.count == 1 ? " not" : "") among the keys of \(report.host)"
    }

    /// Says what a connection showed that goes on all the same.
    static func observer(_ palette: Palette, _ note: @escaping @Sendable (String) -> Void) -> ClosureObserver {
        ClosureObserver { event in
            guard case .pinMismatch(let report) = event.kind else { return }
            let lines = [palette.paint(" WARNING ", .loud) + " " + headline(report)] + lines(report)
            note(lines.joined(separator: "\n"))
        }
    }

    static func lines(_ report: PinReport) -> [String] {
        var lines = report.presented.isEmpty ? ["  It showed no certificate."] : ["  It shows these keys:"]
        for (index, certificate) in report.presented.enumerated() {
            let place = index == 0 ? "the server's own" : index == report.presented.count - 1 ? "the root" : "an issuer"
            lines.append("    \(certificate.key)  \(place)")
        }
        if let limitation = report.limitation { lines.append("  Note: \(limitation).") }
        return lines
    }
}
#endif
