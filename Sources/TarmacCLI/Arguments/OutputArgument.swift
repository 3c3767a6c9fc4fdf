#if Tools
import Foundation
import Tarmac

/// `--output`: a file to write, or - for standard output. `--har` takes a file too.
struct OutputArgument {
    private let name: String

    /// The file, `nil` for standard output. A path that cannot become a file is refused before anything is sent.
    ///
    /// - Parameter name: the argument, for the refusal.
    static func file(_ path: String?, named name: String = "--output") throws(TarmacError) -> String? {
        guard let path, path != "-" else { return nil }
        try OutputArgument(name: name).check(path)
        return path
    }

    private func check(_ path: String) throws(TarmacError) {
        if path.isEmpty { throw refusal("it names no file", "write \(name) FILE" + (name == "--output" ? ", or - for standard output" : "")) }
        if path.hasSuffix("/") || isFolder(path) { throw refusal("\(path) is a folder", "name a file in it") }
        try checkFolder(URL(fileURLWithPath: path).deletingLastPathComponent().path)
        try checkKind(path)
    }

    private func checkFolder(_ folder: String) throws(TarmacError) {
        guard isFolder(folder) else { throw refusal("there is no folder \(folder)", "make it first") }
        guard FileManager.default.isWritableFile(atPath: folder) else {
            throw refusal("nothing may be written into the folder \(folder)", "choose another one")
        }
    }

    /// A download takes the place of the file that was there, which a device would not survive.
    private func checkKind(_ path: String) throws(TarmacError) {
        guard FileManager.default.fileExists(atPath: path) else { return }
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let kind = try? FileManager.default.attributesOfItem(atPath: target)[.type] as? FileAttributeType
        guard kind == .typeRegular else { throw refusal("\(path) is no file that could be replaced", "send the output there with > \(path)") }
    }

    private func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    private func refusal(_ reason: String, _ suggestion: String) -> TarmacError {
        TarmacError(.invalidOption, "\(name): \(reason)", suggestion: suggestion)
    }
}
#endif
