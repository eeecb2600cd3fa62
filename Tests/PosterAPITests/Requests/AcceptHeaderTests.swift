import PosterCodec
import Testing

@testable import PosterAPI

struct AcceptHeaderTests {
    @Test(
        "the format that a client likes best, of those it names",
        arguments: [
            (nil, .jpeg), ("", .jpeg), ("*/*", .jpeg), ("image/*", .jpeg), ("image/webp", .webp), ("image/png", .png),
            ("image/png,*/*;q=0.1", .jpeg), ("image/png,image/jpeg;q=0", .png), ("image/jpeg;q=0,*/*", .png),
            ("image/jpeg;q=0,image/*;q=0,*/*", .jpeg), ("image/*;q=0,image/png;q=0.001", .png),
            ("image/webp,image/png", .webp), ("image/webp;q=0,image/png", .png), ("image/webp;q=0.5,image/png", .webp),
            ("image/*,image/webp;q=0.5", .jpeg), ("*/*;q=0.1,image/webp;q=0.2", .webp),
            ("*/*;q=0.9,image/*;q=0.1,image/webp;q=0.2", .webp), ("text/html", .jpeg), ("image/gif", .jpeg),
            ("*/*;q=0", .jpeg), ("a/b;c=\"d,image/webp\"", .jpeg), ("a/b;c=\"\\\",image/webp\",image/webp", .webp),
            ("image/webp;c=\";q=0\"", .webp), ("image/webp;c=\"", .webp), ("image/webp;Q=0", .jpeg),
        ] as [(String?, OutputFormat)])
    func negotiates(accept: String?, format: OutputFormat) {
        #expect(AcceptHeader(accept).choice(of: FormatOrder()) == FormatChoice(format))
    }

    @Test(
        "AVIF is preferred where it is named and weighs most, and what is rendered is the best of the others",
        arguments: [
            ("image/avif", .jpeg, .avif), ("image/avif,image/webp,*/*;q=0.8", .webp, .avif),
            ("image/avif,*/*;q=0.8", .jpeg, .avif), ("image/webp,image/avif", .webp, .avif),
            ("image/avif;q=0.9,image/webp", .webp, nil), ("image/avif;q=0.9,image/webp;q=0.8", .webp, .avif),
            ("image/avif;q=0.5,image/jpeg", .jpeg, nil), ("image/avif;q=0,image/webp", .webp, nil),
            ("image/avif;q=0.8,image/jpeg;q=0.7,image/webp;q=0.3", .jpeg, .avif), ("image/avif,image/png", .png, .avif),
            ("image/avif,image/jpeg;q=0,image/png;q=0.1", .png, .avif), ("IMAGE/AVIF;q=1.000", .jpeg, .avif),
            ("image/avif;q=0.001", .jpeg, .avif), ("image/*,image/avif;q=0.9", .jpeg, nil),
        ] as [(String, OutputFormat, OutputFormat?)])
    func prefersAVIF(accept: String, format: OutputFormat, preferred: OutputFormat?) {
        #expect(AcceptHeader(accept).choice(of: FormatOrder()) == FormatChoice(format, preferred: preferred))
    }

    @Test(
        "JPEG XL is rendered at once where it is named and weighs most",
        arguments: [
            ("image/jxl", .jxl, nil), ("image/jxl,image/avif,image/webp,image/apng,image/*,*/*;q=0.8", .jxl, nil),
            ("image/avif,image/jxl", .jxl, nil), ("image/jxl;q=0.5,image/webp", .webp, nil),
            ("image/jxl;q=0,image/avif,image/webp", .webp, .avif), ("image/jxl;q=0.9,image/avif", .jxl, .avif),
            ("image/jxl;q=0.5,image/*", .jpeg, nil), ("image/jxl,image/jpeg;q=0", .jxl, nil),
        ] as [(String, OutputFormat, OutputFormat?)])
    func prefersJPEGXL(accept: String, format: OutputFormat, preferred: OutputFormat?) {
        #expect(AcceptHeader(accept).choice(of: FormatOrder()) == FormatChoice(format, preferred: preferred))
    }

    @Test("a picture without JPEG XL and AVIF is WebP for clients that name it")
    func ofWebP() throws {
        let accept = AcceptHeader("image/jxl,image/avif,image/webp")
        #expect(accept.choice(of: FormatOrder().ofWebP) == FormatChoice(.webp))
        #expect(accept.choice(of: try #require(FormatOrder([.jxl, .avif])).ofWebP) == FormatChoice())
    }

    @Test(
        "of formats that weigh the same the first of the order is chosen, and what it does not name never is",
        arguments: [
            ([.webp, .avif], .webp, nil), ([.jpeg, .webp, .avif], .jpeg, nil), ([.avif], .jpeg, .avif),
            ([.avif, .jpeg, .webp], .jpeg, .avif), ([.avif, .jxl], .jxl, .avif), ([.webp, .jxl], .webp, nil),
            ([.webp], .webp, nil), ([], .jpeg, nil), ([.jpeg], .jpeg, nil),
        ] as [([OutputFormat], OutputFormat, OutputFormat?)])
    func followsTheOrder(order: [OutputFormat], format: OutputFormat, preferred: OutputFormat?) throws {
        let order = try #require(FormatOrder(order))
        #expect(order.formats.contains(.jpeg))
        let choice = AcceptHeader("image/jxl,image/avif,image/webp,image/jpeg").choice(of: order)
        #expect(choice == FormatChoice(format, preferred: preferred))
    }

    @Test("an order names each of its formats once, and PNG never")
    func orders() {
        #expect(FormatOrder([.webp, .webp]) == nil && FormatOrder([.png]) == nil)
        #expect(FormatOrder() == FormatOrder([.jxl, .avif, .webp]))
    }
}
