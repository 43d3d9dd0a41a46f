# shellcheck shell=sh
# Sourced by the launcher and by ./verify; POSIX sh.

# Prints "<major> <home>" for every Java from 17 on that this machine has, with bin/$1 in it
# (java, or javac for a JDK), the oldest first. Reads files only, as starting a JVM takes long.
find_jdks() {
  {
    [ -z "${JAVA_HOME:-}" ] || echo "$JAVA_HOME"
    jdks_java=$(command -v java) && jdks_java=$(readlink -f "$jdks_java") &&
      echo "${jdks_java%/bin/java}"
    for jdks_home in /usr/lib/jvm/* /usr/java/* /usr/local/java/* /opt/java/* /opt/jdk* \
      /opt/*jdk* /Library/Java/JavaVirtualMachines/*/Contents/Home \
      "${HOME:-/nonexistent}"/.sdkman/candidates/java/* "${HOME:-/nonexistent}"/.jdks/*; do
      echo "$jdks_home"
    done
  } | while IFS= read -r jdks_home; do
    if [ -x "$jdks_home/bin/java" ] && [ -x "$jdks_home/bin/$1" ] && [ -r "$jdks_home/release" ]; then
      jdks_version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$jdks_home/release")
      [ "${jdks_version:-0}" -lt 17 ] || echo "$jdks_version $jdks_home"
    fi
  done | sort -n -s -k 1,1
}

# The oldest JDK that will do builds: build tools lag behind new JDKs, and 17 is the source level.
jdk_for_building() {
  find_jdks javac | head -n 1 | cut -d ' ' -f 2-
}
