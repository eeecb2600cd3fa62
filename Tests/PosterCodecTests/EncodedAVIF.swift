import CCodecTesting
import Glibc
import Testing

@testable import PosterCodec

/// An AVIF encoded by libavif.
struct EncodedAVIF: Sendable, CustomTestStringConvertible {
    /// Pixels per sample of chroma; (0, 0) is gray.
    enum Chroma: String, CaseIterable, Sendable {
        case gray = "4:0:0"
        case s420 = "4:2:0"
        case s422 = "4:2:2"
        case s444 = "4:4:4"

        var sides: (across: UInt32, down: UInt32) {
            switch self {
            case .gray: (0, 0)
            case .s420: (2, 2)
            case .s422: (2, 1)
            case .s444: (1, 1)
            }
        }
    }

    var width = 50
    var height = 38
    var depth = 8
    var chroma = Chroma.s420
    var isFullRange = true
    var hasAlpha = false
    var isPremultiplied = false
    /// Primaries, transfer and matrix of ITU-T H.273.
    var colours = (1, 13, 6)
    var grid = (columns: 1, rows: 1)
    var frameCount = 1
    /// Base-2 logarithms of the numbers of tiles.
    var tiles = (across: 0, down: 0)
    var profile: [UInt8] = []
    /// Red, green, blue and alpha of a pixel.
    var pixel: @Sendable (_ x: Int, _ y: Int) -> [Int] = { x, y in
        [40 + 3 * x, 200 - 4 * y, 60 + x + 2 * y, 255 - 2 * x - 3 * y]
    }

    var testDescription: String {
        "\(self.depth) bits \(self.chroma.rawValue)\(self.isFullRange ? "" : ", limited")"
            + "\(self.hasAlpha ? self.isPremultiplied ? ", premultiplied" : ", alpha" : "") \(self.colours)"
    }

    /// The encoded file; empty if libavif fails.
    var bytes: [UInt8] {
        let rgba = (0..<self.height).flatMap { y in
            (0..<self.width).flatMap { x in self.pixel(x, y).map { UInt8(min(255, max(0, $0))) } }
        }
        return self.profile.withUnsafeBufferPointer { profile in
            var format = codec_testing_avif_format()
            (format.width, format.height) = (UInt32(self.width), UInt32(self.height))
            format.depth = UInt32(self.depth)
            (format.chroma_across, format.chroma_down) = self.chroma.sides
            format.is_full_range = self.isFullRange ? 1 : 0
            format.has_alpha = self.hasAlpha ? 1 : 0
            format.is_premultiplied = self.isPremultiplied ? 1 : 0
            (format.primaries, format.transfer, format.matrix) = (
                UInt32(self.colours.0), UInt32(self.colours.1), UInt32(self.colours.2)
            )
            (format.columns, format.rows) = (UInt32(self.grid.columns), UInt32(self.grid.rows))
            format.frame_count = UInt32(self.frameCount)
            (format.tile_columns_log2, format.tile_rows_log2) = (Int32(self.tiles.across), Int32(self.tiles.down))
            if !profile.isEmpty { (format.profile, format.profile_count) = (profile.baseAddress, profile.count) }
            var file = [UInt8](repeating: 0, count: (1 << 16) + 8 * rgba.count + profile.count)
            let count = codec_testing_avif_encode(&format, rgba, &file, file.count)
            return Array(file.prefix(count))
        }
    }

    /// The whole file's pixels as decoded and converted by libavif, without orientation and clean aperture.
    static func reference(_ bytes: [UInt8]) -> PixelBuffer? {
        var (width, height): (UInt32, UInt32) = (0, 0)
        // No test has more pixels.
        var rgba = [UInt8](repeating: 0, count: 64 << 20)
        guard codec_testing_avif_decode(bytes, bytes.count, &width, &height, &rgba, rgba.count) != 0 else { return nil }
        var pixels = PixelBuffer(width: Int(width), height: Int(height), channels: 4)
        pixels.samples = Array(rgba.prefix(4 * pixels.width * pixels.height))
        return pixels
    }
}

extension PixelBuffer {
    var rgba: PixelBuffer {
        PixelBuffer(width: self.width, height: self.height, channels: 4) { x, y in
            let pixel = self[x, y]
            return switch self.channels {
            case 1: [pixel[0], pixel[0], pixel[0], 255]
            case 3: pixel + [255]
            default: pixel
            }
        }
    }

    /// The largest difference from a picture of the same size: of alpha, and of colours where that is at least half
    /// opaque.
    func visibleDistance(to other: PixelBuffer) -> Int? {
        guard (self.width, self.height) == (other.width, other.height) else { return nil }
        var largest = 0
        for y in 0..<self.height {
            for x in 0..<self.width {
                let (mine, theirs) = (self[x, y], other[x, y])
                for channel in 0..<4 where channel == 3 || theirs[3] >= 128 {
                    largest = max(largest, abs(Int(mine[channel]) - Int(theirs[channel])))
                }
            }
        }
        return largest
    }

    /// Peak signal-to-noise ratio of alpha and premultiplied colours: the colours of transparent pixels are neither
    /// visible nor kept. 99 for equal pictures, `nil` if size or channels differ.
    func visibleDecibels(against other: PixelBuffer) -> Double? {
        guard (self.width, self.height, 4, 4) == (other.width, other.height, self.channels, other.channels) else {
            return nil
        }
        var squares = 0.0
        for start in stride(from: 0, to: self.samples.count, by: 4) {
            let (mine, theirs) = (Double(self.samples[start + 3]), Double(other.samples[start + 3]))
            squares += (mine - theirs) * (mine - theirs)
            for index in start..<start + 3 {
                let difference = (Double(self.samples[index]) * mine - Double(other.samples[index]) * theirs) / 255
                squares += difference * difference
            }
        }
        return squares == 0 ? 99 : 10 * log10(255 * 255 * Double(self.samples.count) / squares)
    }
}
