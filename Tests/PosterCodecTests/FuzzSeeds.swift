import CodecTesting

@testable import PosterCodec

/// Small AVIFs, HEICs, GIFs and JPEG XLs of every kind, as seeds for a fuzzer that tries very many changes.
enum FuzzSeeds {
    static let all: [HostileFiles.File] = Self.coded + Self.boxed + Self.heic + Self.gif + Self.jxl

    private static let jxl = (JXLFile.all + JXLFile.others).map { file in
        HostileFiles.File(name: "jxl-\(file.name)") { file.bytes }
    }

    /// Every depth, subsampling and range, with and without alpha, and several pictures in one file.
    private static let coded: [HostileFiles.File] =
        AVIFDecodingTests.kinds.map { kind in
            let name = "avif-\(kind.depth)-\(kind.chroma)-\(kind.isFullRange ? "full" : "limited")"
            return HostileFiles.File(name: kind.hasAlpha ? "\(name)-alpha" : name) {
                var file = kind
                (file.width, file.height) = (24, 18)
                return file.bytes
            }
        } + [
            HostileFiles.File(name: "avif-premultiplied") {
                EncodedAVIF(width: 24, height: 18, hasAlpha: true, isPremultiplied: true).bytes
            },
            HostileFiles.File(name: "avif-rgb") {
                EncodedAVIF(width: 24, height: 18, chroma: .s444, colours: (1, 13, 0)).bytes
            },
            HostileFiles.File(name: "avif-frames") {
                EncodedAVIF(width: 24, height: 18, hasAlpha: true, frameCount: 3).bytes
            },
            HostileFiles.File(name: "avif-cells") {
                EncodedAVIF(width: 128, height: 128, hasAlpha: true, grid: (2, 2)).bytes
            },
            HostileFiles.File(name: "avif-tiled") {
                EncodedAVIF(width: 128, height: 128, tiles: (across: 1, down: 1)).bytes
            },
            HostileFiles.File(name: "avif-profile") {
                EncodedAVIF(width: 24, height: 18, profile: ICCProfile.displayP3().bytes).bytes
            },
        ]

    /// Pictures in boxes written by the tests.
    private static let boxed: [HostileFiles.File] = [
        HostileFiles.File(name: "avif-grid") {
            let cell = try HEIFFile.Cell(EncodedAVIF(width: 64, height: 64))
            return HEIFFile(cell, columns: 2, rows: 2, width: 100, height: 90).bytes
        },
        HostileFiles.File(name: "avif-parts") {
            var file = HEIFFile(try HEIFFile.Cell(EncodedAVIF(width: 24, height: 18)))
            file.items[0].parts = 4
            return file.bytes
        },
        HostileFiles.File(name: "avif-data-in-box") {
            var file = HEIFFile(try HEIFFile.Cell(EncodedAVIF(width: 24, height: 18)))
            file.items[0].isInBox = true
            return file.bytes
        },
        HostileFiles.File(name: "avif-repeated") {
            let cell = try HEIFFile.Cell(EncodedAVIF(width: 24, height: 18))
            var file = HEIFFile(cell)
            file.items[0].data = cell.data + cell.data
            return file.bytes
        },
        HostileFiles.File(name: "avif-turned") {
            let properties = [
                HEIFFile.colours(9, 1, 9), AVIFHeaderTests.aperture(20, 12, across: (-11, 1), down: (-3, 1)),
                HEIFFile.box("irot", [1]), HEIFFile.box("imir", [0]),
            ]
            return HEIFFile(try HEIFFile.Cell(EncodedAVIF()), adding: properties).bytes
        },
    ]

    private static let heic: [HostileFiles.File] =
        HEVCSample.allCases.map { sample in
            HostileFiles.File(name: "heic-\(sample)") {
                HEIFFile(sample.cell, adding: [HEICDecodingTests.plain]).bytes
            }
        } + [
            HostileFiles.File(name: "heic-alpha-item") { try HEICDecodingTests.withAlpha(.deep420).bytes },
            HostileFiles.File(name: "heic-grid") {
                HEIFFile(HEVCSample.s420.cell, columns: 2, rows: 2, width: 100, height: 90).bytes
            },
            HostileFiles.File(name: "heic-turned") {
                let properties = [
                    HEIFFile.colours(9, 1, 9), AVIFHeaderTests.aperture(20, 12, across: (-11, 1), down: (-3, 1)),
                    HEIFFile.box("irot", [1]), HEIFFile.box("imir", [0]),
                ]
                return HEIFFile(HEVCSample.s444.cell, adding: properties).bytes
            },
        ]

    private static let gif: [HostileFiles.File] =
        [2, 16, 256].flatMap { colours in
            [false, true].map { isInterlaced in
                HostileFiles.File(name: "gif-\(colours)\(isInterlaced ? "-interlaced" : "")") {
                    GIFTests.file(colours: colours) { $0.isInterlaced = isInterlaced }.bytes
                }
            }
        } + [
            HostileFiles.File(name: "gif-on-canvas") {
                var file = GIFTests.file {
                    ($0.left, $0.top, $0.transparentIndex) = (5, 3, 2)
                    $0.palette = GIFFile.palette(32).reversed()
                }
                (file.width, file.height) = (50, 40)
                return file.bytes
            },
            HostileFiles.File(name: "gif-frames") {
                var file = GIFTests.file()
                file.pictures += [file.pictures[0], file.pictures[0]]
                return file.bytes
            },
            // Codes that grow to twelve bits, and a table that is full.
            HostileFiles.File(name: "gif-compressed") {
                let indices = (0..<100 * 100).map { ($0 * $0 / 7 + $0 / 50) % 16 }
                return GIFTests.file(width: 100, height: 100) { $0.data = GIFFile.compressed(indices, codeSize: 4) }
                    .bytes
            },
            HostileFiles.File(name: "gif-strings") {
                let indices = [Int](repeating: 1, count: 64 * 64)
                return GIFTests.file(width: 64, height: 64) { $0.data = GIFFile.compressed(indices, codeSize: 2) }.bytes
            },
        ]
}
