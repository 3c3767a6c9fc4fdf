import Foundation

/// The bytes that the process has allocated, without those that the allocator keeps for later.
enum AllocatedBytes {
    private typealias Writer = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32

    /// Zero where the C library has no `malloc_info`, which is one of glibc.
    static var now: Int {
        #if os(Linux)
        guard let symbol = dlsym(nil, "malloc_info") else { return 0 }
        let text = text(unsafeBitCast(symbol, to: Writer.self))
        // The totals follow the arenas.
        let totals = text.components(separatedBy: "</heap>").last ?? ""
        let isFree = ["fast", "rest"].map { size("<total type=\"\($0)\"", totals) }
        return size("<system type=\"current\"", totals) + size("<total type=\"mmap\"", totals) - isFree.reduce(0, +)
        #else
        return 0
        #endif
    }

    #if os(Linux)
    private static func text(_ write: Writer) -> String {
        var buffer: UnsafeMutablePointer<CChar>?
        var count = 0
        guard let file = open_memstream(&buffer, &count) else { return "" }
        _ = write(0, file)
        fclose(file)
        defer { free(buffer) }
        return buffer.map { String(cString: $0) } ?? ""
    }
    #endif

    /// Returns the `size` of the element that begins with `head`.
    private static func size(_ head: String, _ text: String) -> Int {
        guard let found = text.range(of: head), let start = text[found.upperBound...].range(of: "size=\"") else { return 0 }
        return Int(text[start.upperBound...].prefix { $0.isNumber }) ?? 0
    }
}
