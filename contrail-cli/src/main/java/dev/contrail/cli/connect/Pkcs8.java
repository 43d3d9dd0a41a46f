package dev.contrail.cli.connect;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** Wraps the older encodings of private keys into PKCS#8, the only one that the JDK reads. */
final class Pkcs8 {
  private static final byte[] VERSION_0 = {0x02, 0x01, 0x00};
  private static final byte[] RSA = {
    0x06, 0x09, 0x2A, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0
  };
  private static final byte[] EC = {
    0x06, 0x07, 0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 0x02, 0x01
  };
  private static final int SEQUENCE = 0x30;
  private static final int OCTETS = 0x04;
  private static final int CURVE_IN_KEY = 0xA0;

  /** More is longer than any key, and would overflow. */
  private static final int MOST_LENGTH_BYTES = 3;

  interface Wrapping {
    byte[] apply(byte[] parameters, byte[] key);
  }

  private Pkcs8() {}

  static byte[] asIs(byte[] parameters, byte[] key) {
    return key;
  }

  static byte[] fromRsa(byte[] parameters, byte[] key) {
    return element(SEQUENCE, VERSION_0, element(SEQUENCE, RSA), element(OCTETS, key));
  }

  static byte[] fromEc(byte[] parameters, byte[] key) {
    byte[] curve = parameters.length > 0 ? parameters : curveIn(key);
    return element(SEQUENCE, VERSION_0, element(SEQUENCE, EC, curve), element(OCTETS, key));
  }

  // SEQUENCE { version, OCTET STRING key, [0] { OID of the curve }, [1] public key }
  private static byte[] curveIn(byte[] key) {
    int at = contentStart(key, 0);
    while (at + 1 < key.length) {
      int content = contentStart(key, at);
      int end = content + length(key, at);
      if (end > key.length) {
        break;
      }
      if ((key[at] & 0xFF) == CURVE_IN_KEY) {
        return Arrays.copyOfRange(key, content, end);
      }
      at = end;
    }
    return new byte[0];
  }

  private static int contentStart(byte[] der, int at) {
    int first = at + 1 < der.length ? der[at + 1] & 0xFF : 0;
    return at + 2 + (first < 0x80 ? 0 : first & 0x7F);
  }

  private static int length(byte[] der, int at) {
    int first = der[at + 1] & 0xFF;
    if (first < 0x80) {
      return first;
    }
    int bytes = first & 0x7F;
    if (bytes > MOST_LENGTH_BYTES) {
      return Integer.MAX_VALUE / 2;
    }
    int length = 0;
    for (int i = at + 2; i < Math.min(at + 2 + bytes, der.length); i++) {
      length = (length << 8) | (der[i] & 0xFF);
    }
    return length;
  }

  private static byte[] element(int tag, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    ByteArrayOutputStream element = new ByteArrayOutputStream();
    element.write(tag);
    int length = content.size();
    if (length < 0x80) {
      element.write(length);
    } else if (length <= 0xFF) {
      element.write(0x81);
      element.write(length);
    } else {
      element.write(0x82);
      element.write(length >> 8);
      element.write(length);
    }
    element.writeBytes(content.toByteArray());
    return element.toByteArray();
  }
}
