package import Foundation
package import Security

@_silgen_name("seam_coreText") func seam_coreText(_ text: String) -> CFString
@_silgen_name("seam_coreDictionary") func seam_coreDictionary(_ dictionary: [String: Any]) -> CFDictionary
@_silgen_name("seam_plainText") func seam_plainText(_ text: CFString) -> String
@_silgen_name("seam_plainDictionary") func seam_plainDictionary(_ object: CFTypeRef?) -> [String: Any]

package func coreText(_ text: String) -> CFString { seam_coreText(text) }
package func coreDictionary(_ dictionary: [String: Any]) -> CFDictionary { seam_coreDictionary(dictionary) }
package func plainText(_ text: CFString) -> String { seam_plainText(text) }
package func plainDictionary(_ object: CFTypeRef?) -> [String: Any] { seam_plainDictionary(object) }
