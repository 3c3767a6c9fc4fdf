#if Tools
import ArgumentParser
import Dispatch
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacOutbox

/// `tarmac`: calls from the command line.
struct TarmacCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tarmac", abstract: "Make HTTP calls that land exactly once.",
        discussion: """
            tarmac get https://api.example.com/users/7
            tarmac post :8080/login name=ann 'tags:=["a","b"]' -H 'X-App-Version: 3.2.0'
            tarmac get https://example.com/video.mp4 --output video.mp4
            tarmac serve                 (a server on :8080 to try the rest)
            tarmac demo --stop TA104     (one stop of the tour; without --stop all of them)

            \(ExitStatus.table)
            """,
        version: tarmacVersion,
        subcommands: [
            GetCommand.self, HeadCommand.self, PostCommand.self, PutCommand.self, PatchCommand.self, DeleteCommand.self,
            OptionsCommand.self, DownloadCommand.self, UploadCommand.self, EventsCommand.self, OutboxCommand.self, CacheCommand.self, ServeCommand.self,
            InspectCommand.self, OpenCommand.self, DemoCommand.self,
        ])
}

@main
enum Main {
    static func main() async {
        Process.prepareSignals()
        // LIFETIME: ends with the command; the program ends with it.
        let command = Task { await exitStatus(of: Array(CommandLine.arguments.dropFirst())) }
        let interrupts = Interrupts { command.cancel() }
        let status = await command.value
        interrupts.end()
        Process.leave(status)
    }

    /// Runs a command and says with which status the program ends.
    private static func exitStatus(of arguments: [String]) async -> Int32 {
        do {
            let command: any ParsableCommand = try TarmacCommand.parseAsRoot(arguments)
            try await run(command)
            return ExitStatus.landed.rawValue
        } catch let error where TarmacCommand.exitCode(for: error) != .failure {
            return explain(error)
        } catch {
            let status = ExitStatus(error)
            let isCall = !["download", "upload"].contains(arguments.first)
            if status != .brokenPipe { Console.note(ErrorReport(palette: Console.terminal.errorPalette, isCall: isCall).text(error)) }
            return status.rawValue
        }
    }

    private static func run(_ command: any ParsableCommand) async throws {
        var command = command
        if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
    }

    /// ArgumentParser's own ends: help goes to standard output, wrong arguments are refused input.
    private static func explain(_ error: any Error) -> Int32 {
        let isHelp = TarmacCommand.exitCode(for: error).isSuccess
        let message = TarmacCommand.fullMessage(for: error)
        if isHelp { try? Console.line(message) } else { Console.note(message) }
        return isHelp ? ExitStatus.landed.rawValue : ExitStatus.refusedInput.rawValue
    }
}

/// Ctrl-C: the first cancels the command, the second ends the program.
private final class Interrupts {
    private let source = DispatchSource.makeSignalSource(signal: Process.interrupt)

    init(cancel: @escaping @Sendable () -> Void) {
        let count = Locked(0)
        source.setEventHandler {
            let isSecond = count.withLock { count in
                count += 1
                return count > 1
            }
            if isSecond { Process.leave(ExitStatus.interrupted.rawValue) }
            cancel()
        }
        source.resume()
    }

    func end() { source.cancel() }
}
#else
import Foundation

@main
enum Main {
    static func main() {
        let advice = "tarmac is built without its trait. Build it with: swift build --traits Tools --product tarmac\n"
        FileHandle.standardError.write(Data(advice.utf8))
        exit(1)
    }
}
#endif
