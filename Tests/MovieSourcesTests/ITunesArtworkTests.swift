import Testing

@testable import MovieSources

struct ITunesArtworkTests {
    private static let folder = "https://is1-ssl.mzstatic.com/image/thumb/Purple113/v4/0a/mzl.motjgfyx.jpg/"

    @Test(
        "the last element of a URL says the size",
        arguments: [
            ("100x100bb.jpg", ITunesArtwork.Kind.poster, "3000x3000bb.jpg"), ("60x60bb.png", .icon, "1024x1024bb.png"),
            ("512x512bb.jpg", .icon, "1024x1024bb.jpg"), ("392x696bb.png", .screenshot, "2880x2880bb.png"),
            ("800x500bb.jpg", .screenshot, "2880x2880bb.jpg"), ("100x100bf.jpg", .poster, "3000x3000bb.jpg"),
            ("230x0w.webp", .icon, nil), ("100x100.jpg", .poster, "3000x3000bb.jpg"),
            ("4096x4096bb.png", .icon, "4096x4096bb.png"),
            ("100000x100000-999.jpg", .poster, nil), ("source.jpg", .poster, nil), ("xx.jpg", .poster, nil),
            ("0x0bb.jpg", .poster, nil), ("1x1bb.exe", .poster, nil), ("-1x1bb.jpg", .poster, nil), ("x", .icon, nil),
            ("99999999999999999999x1bb.jpg", .icon, nil),
        ] as [(String, ITunesArtwork.Kind, String?)])
    func largest(element: String, kind: ITunesArtwork.Kind, expected: String?) {
        let url = Self.folder + element
        #expect(ITunesArtwork.largest(url, kind: kind) == Self.folder + (expected ?? element))
    }

    @Test func whatIsNoURLIsPassedOver() {
        #expect(
            ITunesArtwork.first(of: [nil, "", "javascript:x", "https://a.test/60x60bb.jpg"], kind: .icon)
                == "https://a.test/1024x1024bb.jpg")
        #expect(ITunesArtwork.first(of: [nil], kind: .icon) == nil)
    }
}
