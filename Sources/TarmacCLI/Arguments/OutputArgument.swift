#if Tools
import Foundation
import Tarmac

/// `--output`: a file to write, or - for standard output.
enum OutputArgument {
    /// The file, `nil` for standard output. What cannot become a file is refused before anything is sent.
    static func file(_ path: String?) throws(TarmacError) -> String? {
        guard let path, path != "-" else { return nil }
        if path.isEmpty { throw refusal("it names no file", "write --output FILE, or - for standard output") }
        if path.hasSuffix("/") || isFolder(path) { throw refusal("\(path) is a folder", "name a file in it") }
        try checkFolder(URL(fileURLWithPath: path).deletingLastPathComponent().path)
        try checkKind(path)
        return path
    }

    private static func checkFolder(_ folder: String) throws(TarmacError) {
        guard isFolder(folder) else { throw refusal("there is no folder \(folder)", "make it first") }
        guard FileManager.default.isWritableFile(atPath: folder) else {
            throw refusal("nothing may be written into the folder \(folder)", "choose another one")
        }
    }

    /// A download takes the place of the file that was there, which a device would not survive.
    private static func checkKind(_ path: String) throws(TarmacError) {
        guard FileManager.default.fileExists(atPath: path) else { return }
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let kind = try? FileManager.default.attributesOfItem(atPath: target)[.type] as? FileAttributeType
        guard kind == .typeRegular else { throw refusal("\(path) is no file that could be replaced", "send the output there with > \(path)") }
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    private static func refusal(_ reason: String, _ suggestion: String) -> TarmacError {
        TarmacError(.invalidOption, "--output: \(reason)", suggestion: suggestion)
    }
}
#endif
