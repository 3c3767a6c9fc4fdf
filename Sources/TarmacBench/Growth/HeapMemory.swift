#if Tools
import Foundation

/// The bytes that are allocated now, without those that the allocator keeps for later.
enum HeapMemory {
    #if canImport(Darwin)
    /// The resident memory: figures are made on Linux.
    static var used: Int { Memory.resident }
    #else
    private typealias Writer = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32

    /// glibc's `malloc_info`, which Foundation does not show: all of the system's memory less what is free. Without it, what is resident.
    static var used: Int {
        guard let symbol = dlsym(nil, "malloc_info"), let text = text(unsafeBitCast(symbol, to: Writer.self)) else { return Memory.resident }
        // The totals follow the arenas.
        let totals = text.components(separatedBy: "</heap>").last ?? ""
        return size(#"<system type="current" size=""#, totals) + size(#"<total type="mmap""#, totals)
            - size(#"<total type="fast""#, totals) - size(#"<total type="rest""#, totals)
    }

    private static func text(_ write: Writer) -> String? {
        var buffer: UnsafeMutablePointer<CChar>?
        var count = 0
        guard let file = open_memstream(&buffer, &count) else { return nil }
        _ = write(0, file)
        fclose(file)
        defer { free(buffer) }
        return buffer.map { String(cString: $0) }
    }

    /// The `size` of the element that begins with `head`.
    private static func size(_ head: String, _ text: String) -> Int {
        guard let found = text.range(of: head) else { return 0 }
        var rest = text[found.upperBound...]
        if !head.hasSuffix("size=\""), let start = rest.range(of: "size=\"") { rest = rest[start.upperBound...] }
        return Int(rest.prefix { $0.isNumber }) ?? 0
    }
    #endif
}
#endif
