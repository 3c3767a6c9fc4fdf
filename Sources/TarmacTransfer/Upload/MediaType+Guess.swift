import TarmacCore

extension MediaType {
    /// Returns the usual media type of files with a name; `application/octet-stream` for unknown ones.
    ///
    /// - Parameter fileName: The name. Only its extension counts, in upper or lower case.
    public static func guessed(for fileName: String) -> String {
        guard let dot = fileName.lastIndex(of: "."), dot != fileName.startIndex else { return octets }
        return byExtension[fileName[fileName.index(after: dot)...].lowercased()] ?? octets
    }

    private static let octets = "application/octet-stream"

    private static let byExtension: [String: String] = [
        // Text and code, as in RFC 9239, RFC 7763 and the IANA registry.
        "txt": "text/plain", "log": "text/plain", "csv": "text/csv", "html": "text/html", "htm": "text/html", "css": "text/css",
        "js": "text/javascript", "mjs": "text/javascript", "md": "text/markdown", "ics": "text/calendar", "vcf": "text/vcard",
        "json": "application/json", "xml": "application/xml", "yaml": "application/yaml", "yml": "application/yaml", "wasm": "application/wasm",
        // Images.
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp", "svg": "image/svg+xml",
        "heic": "image/heic", "heif": "image/heif", "avif": "image/avif", "bmp": "image/bmp", "tif": "image/tiff", "tiff": "image/tiff",
        "ico": "image/vnd.microsoft.icon", "jxl": "image/jxl",
        // Audio and video.
        "mp3": "audio/mpeg", "m4a": "audio/mp4", "aac": "audio/aac", "wav": "audio/wav", "flac": "audio/flac", "ogg": "audio/ogg", "oga": "audio/ogg",
        "opus": "audio/ogg", "mp4": "video/mp4", "m4v": "video/mp4", "mov": "video/quicktime", "webm": "video/webm", "mkv": "video/matroska",
        "ogv": "video/ogg", "avi": "video/vnd.avi", "mpeg": "video/mpeg", "ts": "video/mp2t", "m3u8": "application/vnd.apple.mpegurl",
        // Documents and fonts.
        "pdf": "application/pdf", "rtf": "application/rtf", "doc": "application/msword", "xls": "application/vnd.ms-excel",
        "ppt": "application/vnd.ms-powerpoint", "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation", "odt": "application/vnd.oasis.opendocument.text",
        "ods": "application/vnd.oasis.opendocument.spreadsheet", "epub": "application/epub+zip", "ttf": "font/ttf", "otf": "font/otf",
        "woff": "font/woff", "woff2": "font/woff2",
        // Archives.
        "zip": "application/zip", "gz": "application/gzip", "tar": "application/x-tar", "7z": "application/x-7z-compressed", "zst": "application/zstd",
        "bz2": "application/x-bzip2", "xz": "application/x-xz",
    ]
}
