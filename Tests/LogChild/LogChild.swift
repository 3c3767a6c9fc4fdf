import Foundation
import Tarmac
import TarmacCallLog
import TarmacTesting

/// A process that is killed: it makes calls, eight at a time, and records them until then.
///
///     LogChild FILE FIRST LIMIT
///     LogChild tokens FOLDER
///     LogChild tokens-without-lock FOLDER
///
/// The path of each call is its number, from FIRST on, and its response has a body of up to 20 KiB. After every 16 calls it waits until they
/// are in the record, and writes the number of the next call as a line to standard output.
@main
struct LogChild {
    static func main() async throws {
        let arguments = CommandLine.arguments
        if arguments.count == 3, arguments[1].hasPrefix("tokens") {
            try await TokenChild(folder: arguments[2], hasLock: arguments[1] == "tokens").run()
        }
        guard arguments.count == 4, let first = Int(arguments[2]), let limit = Int(arguments[3]) else {
            FileHandle.standardError.write(Data("usage: LogChild FILE FIRST LIMIT\n".utf8))
            exit(2)
        }
        let log = CallLog(last: 50, bodies: .first(.kib(64)), memory: .mib(64), recordingTo: arguments[1], limit: .kib(limit))
        let client = Client(transport: .stub { .text(String(repeating: "0123456789", count: $0.url.path.utf8.count * 257 % 2_000)) }) { $0.log = log }
        for start in stride(from: first, to: .max, by: 16) {
            for half in [start, start + 8] {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in half..<half + 8 {
                        group.addTask { try await client.get("https://s.example/\(String(repeating: "n", count: number % 7))/\(number)") }
                    }
                    try await group.waitForAll()
                }
            }
            await log.flush()
            if log.leftOutOfRecord > 0 { exit(3) }
            FileHandle.standardOutput.write(Data("\(start + 16)\n".utf8))
        }
    }
}
