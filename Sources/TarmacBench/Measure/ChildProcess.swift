#if Tools
import Foundation

enum ChildProcess {
    /// Returns what a program writes to standard output, or `nil` if it does not end well. It says why on standard error.
    static func output(of program: String, _ arguments: [String]) throws -> Data? {
        let process = Process(), output = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? data : nil
    }
}
#endif
