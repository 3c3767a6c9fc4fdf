import TarmacCore
enum HARWriter { static func bytes(of entries: [CallLog.Entry]) -> Bytes { Bytes("{}") } }
enum HARReader { static func entries(of bytes: Bytes) throws(TarmacError) -> [CallLog.Entry] { [] } }
