#if Tools
import Tarmac
import TarmacCallLog
import TarmacHAR

/// The calls of one command, for `--har` and `--trace`.
struct CallRecording {
    /// `nil` if nothing is recorded.
    let log: CallLog?
    private let file: String?
    private let draws: Bool
    private let terminal: Terminal
    private let note: @Sendable (String) -> Void

    /// - Parameters:
    ///   - log: the log that the command keeps anyway.
    ///   - note: writes what has to be said. Default: standard error.
    init(
        _ arguments: RecordArguments, log: CallLog? = nil, terminal: Terminal = Console.terminal,
        note: @escaping @Sendable (String) -> Void = { Console.note($0) }
    ) throws(TarmacError) {
        (self.terminal, self.note, draws) = (terminal, note, arguments.trace)
        file = try OutputArgument.file(arguments.har, named: "--har")
        if arguments.har != nil, file == nil {
            throw TarmacError(.invalidOption, "--har: an archive goes to a file", suggestion: "name one, as --har calls.har")
        }
        let isWanted = file != nil || draws
        self.log = log ?? (isWanted ? CallLog(last: Self.last, bodies: file == nil ? .none : .first(.kib(256))) : nil)
    }

    private static let last = 2_000

    /// Lets a client record its calls.
    func configure(_ options: inout Options) { if let log { options.log = log } }

    /// Runs a command, and tells afterwards what was recorded, also if the command failed or was interrupted.
    func during<Value>(_ fly: () async throws -> Value) async throws -> Value {
        let result: Result<Value, any Error>
        do { result = .success(try await fly()) } catch { result = .failure(error) }
        let fault = tell()
        guard let fault else { return try result.get() }
        // The failure of the command says more.
        if case .failure = result { note(fault.reason) }
        _ = try result.get()
        throw fault
    }

    /// Writes the archive and draws the calls. Returns why the archive could not be written.
    private func tell() -> TarmacError? {
        guard let log else { return nil }
        if draws {
            let lines = Waterfall(columns: terminal.columns, palette: terminal.errorPalette).lines(log.entries)
            if !lines.isEmpty { note(lines.joined(separator: "\n")) }
        }
        guard let file else { return nil }
        return PrivateFile.write(log.har().bytes, to: file).map { fault in
            TarmacError(.unwritableFile, phase: .delivering, "--har: \(file) cannot be written: \(fault.text)", suggestion: "name another file")
        }
    }
}
#endif
