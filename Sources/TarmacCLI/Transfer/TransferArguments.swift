#if Tools
import ArgumentParser
import Foundation
import Tarmac

/// The arguments that `tarmac download` and `tarmac upload` have in common.
struct TransferArguments: ParsableArguments {
    @Option(name: [.customShort("H"), .long], help: "A header field, 'Name: value'; 'Name:' leaves it out.")
    var header: [String] = []

    @Flag(help: "Go on with what an earlier run has left, and leave what another can go on with.")
    var resume = false

    @Option(help: ArgumentHelp("Where unfinished transfers are noted. Default: a folder of yours for such things.", valueName: "folder"))
    var ledger: String?

    @Option(help: ArgumentHelp("How long the whole transfer may take. Default: no limit.", valueName: "seconds"))
    var timeout: Double?

    @OptionGroup var trust: TrustArguments

    @OptionGroup var record: RecordArguments

    @Flag(name: .shortAndLong, help: "Say what happens on standard error, with the timings of each request; secrets are masked.")
    var verbose = false

    @Option(help: TransportChoice.help)
    var transport = TransportChoice.nio

    /// The settings they make.
    ///
    /// - Parameter note: writes what has to be said, beside whatever shows the progress.
    func options(to url: HTTPURL, note: @escaping @Sendable (String) -> Void = { Console.note($0) }) throws -> Options {
        var options = Options()
        if !header.isEmpty { try HeaderArgument.apply(header, to: &options.headers) }
        // Whoever types http means it.
        if !url.isSecure, !url.isLoopback { options.allowsInsecureHTTP = true }
        if let timeout { options.deadline = .seconds(timeout) }
        if resume { options.transferLedger = .folder(try Self.folder(ledger)) }
        if verbose {
            options.observers = [VerboseLog(write: note)]
        } else if trust.pinReportOnly {
            options.observers = [PinReportText.observer(Console.terminal.errorPalette, note)]
        }
        return options
    }

    /// A service of its own, as the settings of a connection belong to one.
    func service(for url: HTTPURL) throws(TarmacError) -> Service {
        Service("command", host: Hosts(url.origin.description), connection: try trust.settings(for: url))
    }

    func warn(of url: HTTPURL) {
        for warning in trust.warnings(for: url) { Console.note(warning) }
        if !url.isSecure, !url.isLoopback { Console.note("http: the call to \(url.origin) is NOT encrypted. Anyone on the way can read and change it.") }
    }

    /// The folder of the ledger, made when it is missing.
    private static func folder(_ path: String?) throws -> String {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["XDG_STATE_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? "\(NSHomeDirectory())/.local/state"
        let folder = path ?? "\(home)/tarmac/transfers"
        do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]) } catch {
            throw TarmacError(.invalidOption, "the ledger's folder \(folder) cannot be made", suggestion: "name another with --ledger", cause: error)
        }
        return folder
    }
}
#endif
