import Glibc

extension BadgeFonts {
    /// Bold fonts of Debian's packages fonts-noto-core, fonts-noto-cjk and fonts-dejavu-core, in the order of
    /// preference.
    public static let debianFiles = [
        "/usr/share/fonts/truetype/noto/NotoSansArabic-Bold.ttf",
        "/usr/share/fonts/truetype/noto/NotoSansHebrew-Bold.ttf",
        "/usr/share/fonts/truetype/noto/NotoSansDevanagari-Bold.ttf",
        "/usr/share/fonts/truetype/noto/NotoSansThai-Bold.ttf",
        "/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc",
        "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf",
    ]

    /// The files of ``debianFiles`` that this system has and the process may read.
    public static func installedDebianFiles() -> [String] {
        self.debianFiles.filter { access($0, R_OK) == 0 }
    }
}
