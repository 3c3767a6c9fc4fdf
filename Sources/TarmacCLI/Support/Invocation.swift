#if Tools
import Foundation

/// How this program was started, so that what it advises can be pasted.
enum Invocation {
    static let name = shown(CommandLine.arguments.first ?? "", from: FileManager.default.currentDirectoryPath)

    /// The program as a word of the shell: a path below the current folder is short, a bare name was found on the PATH.
    static func shown(_ program: String, from folder: String) -> String {
        guard !program.isEmpty else { return "tarmac" }
        let isBelow = program.hasPrefix(folder + "/")
        let short = isBelow ? String(program.dropFirst(folder.count + 1)) : program
        let word = isBelow && !short.contains("/") ? "./\(short)" : short
        return word.contains(where: { " '\"$&()".contains($0) }) ? "'" + word.replacingOccurrences(of: "'", with: #"'\''"#) + "'" : word
    }
}
#endif
